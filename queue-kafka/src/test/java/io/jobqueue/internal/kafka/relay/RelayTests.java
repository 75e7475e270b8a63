package io.jobqueue.internal.kafka.relay;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Partitioner;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.kafka.KafkaTestBase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a broker that works receives, and what it refuses.
 */
@Tag("slow") // starts a broker
class RelayTests extends KafkaTestBase {

	@Test
	void recordHasThePayloadAndTheHeadersOfItsJob() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext application = relay(topic)) {
			UUID id = application.getBean(JobQueue.class)
				.enqueue(order(7).key("unique")
					.orderedBy("customer-1")
					.header("region", "eu")
					.header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
				.id();
			await().untilAsserted(() -> assertThat(succeeded()).isOne());
			ConsumerRecord<byte[], byte[]> message = BROKER.records(topic).get(0);
			assertThat(value(message)).isEqualTo("\"7\"");
			assertThat(message.key()).isEqualTo("customer-1".getBytes(UTF_8));
			assertThat(header(message, "jobqueue-id")).isEqualTo(id.toString());
			assertThat(header(message, "jobqueue-type")).isEqualTo("order");
			assertThat(header(message, "jobqueue-attempt")).isEqualTo("1");
			assertThat(header(message, "region")).isEqualTo("eu");
			assertThat(header(message, "traceparent"))
				.isEqualTo("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
			assertThat(header(message, "jobqueue-enqueued-at")).isEqualTo(this.sql.sql(
					"SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM jobqueue_archive")
				.query(String.class)
				.single());
		}
	}

	@Test
	void keyIsTheUniqueKeyWithoutAnOrderingKey() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext application = relay(topic)) {
			enqueue(application, order(1).key("unique"), order(2));
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(2));
			assertThat(BROKER.records(topic)).extracting(ConsumerRecord::key)
				.containsExactlyInAnyOrder("unique".getBytes(UTF_8), null);
		}
	}

	@Test
	void bytesOfACodecAreSentAsTheyAre() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext producer = run("jobqueue.worker.enabled=false")) {
			enqueue(producer, order(1));
		}
		this.sql.sql("UPDATE jobqueue_job SET payload = NULL, payload_bytes = '\\x00ff10'").update();
		try (ConfigurableApplicationContext application = relay(topic)) {
			assertThat(application.isRunning()).isTrue();
			await().untilAsserted(() -> assertThat(succeeded()).isOne());
			assertThat(BROKER.records(topic)).extracting(ConsumerRecord::value)
				.containsExactly(new byte[] { 0, (byte) 0xff, 0x10 });
		}
	}

	@Test
	void twoNodesKeepTheOrderOfEachKey() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext one = relay(topic, "jobqueue.worker.name=one");
				ConfigurableApplicationContext other = relay(topic, "jobqueue.worker.name=other")) {
			List<JobRequest> requests = new ArrayList<>();
			IntStream.range(0, 400).forEach((number) -> requests.add(order(number).orderedBy("key-" + number % 20)));
			one.getBean(JobQueue.class).enqueueAll(requests);
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(400));
			assertThat(other.isRunning()).isTrue();
		}
		Map<String, Set<Integer>> numbers = numbersByKey(topic);
		for (int key = 0; key < 20; key++) {
			assertThat(numbers.get("key-" + key)).containsExactlyElementsOf(
					IntStream.iterate(key, (number) -> number < 400, (number) -> number + 20).boxed().toList());
		}
	}

	/**
	 * A consumer that has seen a job ignores it.
	 */
	private static Map<String, Set<Integer>> numbersByKey(String topic) {
		Map<String, Set<Integer>> numbers = new HashMap<>();
		BROKER.records(topic)
			.forEach((message) -> numbers
				.computeIfAbsent(new String(message.key(), UTF_8), (key) -> new LinkedHashSet<>())
				.add(Integer.valueOf(value(message).replace("\"", ""))));
		return numbers;
	}

	/**
	 * The broker refuses a record without a key in a compacted topic, and with it all
	 * others of its producer batch.
	 */
	@Test
	void refusedRecordFailsAlone() {
		String topic = BROKER.topic(Map.of("cleanup.policy", "compact"));
		try (ConfigurableApplicationContext application = relay(topic, "jobqueue.queues.orders.max-attempts=2",
				"spring.kafka.producer.properties.linger.ms=200")) {
			List<JobRequest> requests = new ArrayList<>(List.of(order(0)));
			IntStream.range(1, 31).forEach((number) -> requests.add(order(number).key("key-" + number)));
			enqueue(application, requests.toArray(JobRequest[]::new));
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(30));
			await().untilAsserted(() -> assertThat(failures()).hasEntrySatisfying("\"0\"",
					(error) -> assertThat(error).contains("InvalidRecordException")
						.contains("Compacted topic cannot accept message without key")));
			assertThat(failures()).hasSize(1);
			assertThat(values(topic)).hasSize(30).doesNotHaveDuplicates();
			assertThat(BROKER.records(topic)).extracting((message) -> header(message, "jobqueue-attempt"))
				.containsOnly("1");
			await()
				.untilAsserted(() -> assertThat(this.sql.sql("SELECT state FROM jobqueue_jobs WHERE payload = '\"0\"'")
					.query(String.class)
					.single()).isEqualTo("DEAD"));
		}
	}

	@Test
	void recordThatIsTooLargeFailsAlone() {
		String topic = BROKER.topic(Map.of("max.message.bytes", "2000"));
		try (ConfigurableApplicationContext application = relay(topic,
				"spring.kafka.producer.properties.max.request.size=20000",
				"spring.kafka.producer.properties.linger.ms=200", "jobqueue.queues.orders.max-attempts=1")) {
			enqueue(application, order(1), large(5_000), order(2), large(50_000), order(3));
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(3));
			await().untilAsserted(() -> assertThat(failures().values()).hasSize(2)
				.allSatisfy((error) -> assertThat(error).contains("RecordTooLargeException")));
			assertThat(values(topic)).containsExactlyInAnyOrder("\"1\"", "\"2\"", "\"3\"");
		}
	}

	@Test
	void recordThatThePartitionerRefusesFailsAlone() {
		String topic = BROKER.topic(Map.of());
		try (ConfigurableApplicationContext application = relay(topic,
				"spring.kafka.producer.properties.partitioner.class=" + ChoosyPartitioner.class.getName(),
				"jobqueue.queues.orders.max-attempts=2")) {
			enqueue(application, order(0).key("refused"), order(1), order(2).key("kafka"), order(3));
			await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(2));
			await().untilAsserted(() -> assertThat(dead()).isEqualTo(2));
			assertThat(failures()).hasSize(2)
				.hasEntrySatisfying("\"0\"",
						(error) -> assertThat(error).contains("IllegalArgumentException: No partition for refused"))
				.hasEntrySatisfying("\"2\"",
						(error) -> assertThat(error).contains("SerializationException: No partition for kafka"));
		}
	}

	private long dead() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_archive WHERE state = 'DEAD'").query(Long.class).single();
	}

	private static JobRequest large(int size) {
		return JobRequest.of("orders", "x".repeat(size)).type("large");
	}

	/**
	 * An application's own, which refuses keys.
	 */
	public static final class ChoosyPartitioner implements Partitioner {

		@Override
		public int partition(String topic, @Nullable Object key, byte @Nullable [] keyBytes, @Nullable Object value,
				byte @Nullable [] valueBytes, Cluster cluster) {
			if (keyBytes != null) {
				String message = "No partition for " + new String(keyBytes, UTF_8);
				throw message.endsWith("kafka") ? new SerializationException(message)
						: new IllegalArgumentException(message);
			}
			return 0;
		}

		@Override
		public void configure(Map<String, ?> settings) {
		}

		@Override
		public void close() {
		}

	}

}
