package io.jobqueue.internal.kafka.consume;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

import io.jobqueue.JobType;
import io.jobqueue.internal.kafka.KafkaTestBase;
import io.jobqueue.internal.kafka.record.JobHeaders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications that consume a topic of a real broker.
 */
@Tag("slow") // starts a broker
abstract class ConsumeTestBase extends KafkaTestBase {

	protected final String topic;

	protected final String group;

	ConsumeTestBase() {
		this(BROKER.topic(Map.of()), "group-" + UUID.randomUUID());
	}

	ConsumeTestBase(String topic, String group) {
		this.topic = topic;
		this.group = group;
	}

	protected String setting(String text) {
		return "jobqueue.kafka.consume.%s.%s".formatted(this.topic, text);
	}

	protected long jobs() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_job").query(Long.class).single();
	}

	/**
	 * Return how many records the group has acknowledged.
	 */
	protected long committed() {
		return offsets().values().stream().mapToLong(OffsetAndMetadata::offset).sum();
	}

	protected Map<TopicPartition, OffsetAndMetadata> offsets() {
		return offsets(this.group);
	}

	protected static Map<TopicPartition, OffsetAndMetadata> offsets(String group) {
		return BROKER.admin()
			.listConsumerGroupOffsets(group)
			.partitionsToOffsetAndMetadata()
			.toCompletionStage()
			.toCompletableFuture()
			.join();
	}

	protected ProducerRecord<byte[], byte[]> message(@Nullable String key, byte @Nullable [] value) {
		return new ProducerRecord<>(this.topic, (key != null) ? key.getBytes(UTF_8) : null, value);
	}

	protected List<ProducerRecord<byte[], byte[]>> messages(int count, int keys) {
		return IntStream.range(0, count).mapToObj((number) -> message("key-" + number % keys, json(number))).toList();
	}

	protected static byte[] json(int number) {
		return "{\"number\":%d}".formatted(number).getBytes(UTF_8);
	}

	protected static ProducerRecord<byte[], byte[]> with(ProducerRecord<byte[], byte[]> message, String header,
			String value) {
		JobHeaders.add(message.headers(), header, value);
		return message;
	}

	protected static void send(List<ProducerRecord<byte[], byte[]>> messages) {
		BROKER.send(messages);
	}

	/**
	 * Send records in a transaction that ends once the broker has them.
	 * @param end commits it, or not
	 */
	protected static void sendInTransaction(List<ProducerRecord<byte[], byte[]>> messages,
			Consumer<KafkaProducer<byte[], byte[]>> end) {
		try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
				Map.of("bootstrap.servers", BROKER.address(), "transactional.id", UUID.randomUUID().toString()),
				new ByteArraySerializer(), new ByteArraySerializer())) {
			producer.initTransactions();
			producer.beginTransaction();
			messages.forEach((message) -> assertThat(producer.send(message)).isNotNull());
			producer.flush();
			end.accept(producer);
		}
	}

	protected void forgetOffsets() {
		Map<TopicPartition, OffsetAndMetadata> starts = new HashMap<>();
		offsets().keySet().forEach((partition) -> starts.put(partition, new OffsetAndMetadata(0)));
		BROKER.admin()
			.alterConsumerGroupOffsets(this.group, starts)
			.all()
			.toCompletionStage()
			.toCompletableFuture()
			.join();
	}

	protected ProducerRecord<byte[], byte[]> order(String key, int number, @Nullable String action) {
		String json = (action != null) ? "{\"number\":%s,\"action\":\"%s\"}".formatted(number, action)
				: "{\"number\":%s}".formatted(number);
		return with(new ProducerRecord<>(this.topic, key.getBytes(UTF_8), json.getBytes(UTF_8)), JobHeaders.TYPE,
				"order");
	}

	protected List<ProducerRecord<byte[], byte[]>> orders(int count, int keys) {
		return IntStream.range(0, count).mapToObj((number) -> order("key-" + number % keys, number, null)).toList();
	}

	/**
	 * A payload that may be missing.
	 *
	 * @param number a number
	 */
	@JobType("removable")
	record Removable(int number) {
	}

	/**
	 * The payload of the jobs.
	 *
	 * @param number a number
	 * @param action what the handler does, {@code null} to succeed
	 */
	@JobType("order")
	record Order(int number, @Nullable String action) {

		Order(int number) {
			this(number, null);
		}

	}

}
