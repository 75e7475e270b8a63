package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A Kafka broker in a JVM of its own, which can be suspended, killed and started again.
 * Modules that use it have the broker and its clients as dependencies.
 */
public final class KafkaBroker implements AutoCloseable {

	private static final int DEFAULT_PARTITIONS = 3;

	private final Path folder;

	private final int port = FreePort.find();

	private final int controllerPort = FreePort.find();

	private final Admin admin = Admin.create(Map.of("bootstrap.servers", address(), "default.api.timeout.ms", "60000"));

	private ChildJvm process;

	/**
	 * Start a broker, which ends with this JVM, and wait until it answers.
	 */
	public KafkaBroker() {
		try {
			this.folder = Files.createTempDirectory("kafka");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.process = process();
		Runtime.getRuntime().addShutdownHook(new Thread(this::close));
		awaitAnswer();
	}

	private ChildJvm process() {
		return ChildJvm.start(BrokerMain.class, Map.of(), this.folder.toString(), String.valueOf(this.port),
				String.valueOf(this.controllerPort));
	}

	/**
	 * Start the broker after {@link #kill}, and wait until it answers.
	 */
	public void start() {
		this.process = process();
		awaitAnswer();
	}

	private void awaitAnswer() {
		get(this.admin.describeCluster().nodes());
	}

	private static <T> T get(KafkaFuture<T> future) {
		try {
			return future.get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Kill the broker (SIGKILL).
	 */
	public void kill() {
		this.process.kill();
	}

	/**
	 * Suspend the broker (SIGSTOP).
	 */
	public void freeze() {
		this.process.freeze();
	}

	/**
	 * Resume the broker (SIGCONT).
	 */
	public void thaw() {
		this.process.thaw();
	}

	/**
	 * Return the address for {@code bootstrap.servers}.
	 * @return host and port
	 */
	public String address() {
		return "localhost:" + this.port;
	}

	/**
	 * Return a client for the administration of the broker, which is closed with it.
	 * @return the client
	 */
	public Admin admin() {
		return this.admin;
	}

	/**
	 * Create a topic with three partitions.
	 * @param settings its settings
	 * @return its unique name
	 */
	public String topic(Map<String, String> settings) {
		String name = "t-" + UUID.randomUUID();
		create(name, DEFAULT_PARTITIONS, settings);
		return name;
	}

	/**
	 * Create a topic.
	 * @param name its name
	 * @param partitions the number of its partitions
	 * @param settings its settings
	 */
	public void create(String name, int partitions, Map<String, String> settings) {
		get(this.admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings))).all());
	}

	/**
	 * Return how many records a topic has.
	 * @param topic the name of the topic
	 * @return the number of records, those of aborted transactions included
	 */
	public long size(String topic) {
		Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
		for (TopicDescription description : get(this.admin.describeTopics(List.of(topic)).allTopicNames()).values()) {
			description.partitions()
				.forEach((each) -> ends.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest()));
		}
		return get(this.admin.listOffsets(ends).all()).values().stream().mapToLong(ListOffsetsResultInfo::offset).sum();
	}

	/**
	 * Return the records of a topic, in the order of each partition.
	 * @param topic the name of the topic
	 * @return the records
	 */
	public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
		List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
		try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", address()),
				new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
			List<TopicPartition> partitions = consumer.partitionsFor(topic)
				.stream()
				.map((partition) -> new TopicPartition(topic, partition.partition()))
				.toList();
			consumer.assign(partitions);
			consumer.seekToBeginning(partitions);
			Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
			while (partitions.stream().anyMatch((each) -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
				consumer.poll(Duration.ofMillis(100)).forEach(records::add);
			}
		}
		return records;
	}

	/**
	 * Kill the broker and delete its data.
	 */
	@Override
	public void close() {
		this.admin.close(Duration.ZERO);
		kill();
		try {
			if (Files.exists(this.folder)) {
				Folders.delete(this.folder);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
