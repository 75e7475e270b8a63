package io.jobqueue.testpostgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A Kafka cluster whose brokers run in JVMs of their own, which can be suspended, killed
 * and started again. Modules that use it have the broker and its clients as dependencies.
 */
public final class KafkaCluster implements AutoCloseable {

	private static final int DEFAULT_PARTITIONS = 3;

	private final Path folder;

	private final List<BrokerProcess> brokers;

	private final Admin admin;

	/**
	 * Start a cluster of one broker, which ends with this JVM, and wait until it answers.
	 */
	public KafkaCluster() {
		this(1);
	}

	/**
	 * Start a cluster, which ends with this JVM, and wait until it answers.
	 * @param brokers the number of its brokers, each of which has all topics
	 */
	public KafkaCluster(int brokers) {
		try {
			this.folder = Files.createTempDirectory("kafka");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.brokers = BrokerProcess.cluster(this.folder, brokers);
		this.admin = Admin.create(Map.of("bootstrap.servers", address(), "default.api.timeout.ms", "60000"));
		Runtime.getRuntime().addShutdownHook(new Thread(this::close));
		start();
	}

	/**
	 * Start all brokers after {@link #kill()}, and wait until the cluster answers.
	 */
	public void start() {
		this.brokers.forEach(BrokerProcess::start);
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
	 * Kill all brokers (SIGKILL).
	 */
	public void kill() {
		this.brokers.forEach(BrokerProcess::kill);
	}

	/**
	 * Kill the broker that leads the first partition of a topic (SIGKILL).
	 * @param topic the name of the topic
	 */
	public void killLeader(String topic) {
		try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
			this.brokers.get(consumer.partitionsFor(topic).get(0).leader().id() - 1).kill();
		}
	}

	/**
	 * Suspend all brokers (SIGSTOP).
	 */
	public void freeze() {
		this.brokers.forEach(BrokerProcess::freeze);
	}

	/**
	 * Resume all brokers (SIGCONT).
	 */
	public void thaw() {
		this.brokers.forEach(BrokerProcess::thaw);
	}

	/**
	 * Return the processor time of the brokers that run.
	 * @return the time since their start
	 */
	public Duration processorTime() {
		return this.brokers.stream().map(BrokerProcess::processorTime).reduce(Duration.ZERO, Duration::plus);
	}

	/**
	 * Return the addresses for {@code bootstrap.servers}.
	 * @return hosts and ports
	 */
	public String address() {
		return this.brokers.stream().map(BrokerProcess::address).collect(Collectors.joining(","));
	}

	/**
	 * Return a client for the administration of the cluster, which is closed with it.
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
		get(this.admin
			.createTopics(List.of(new NewTopic(name, partitions, (short) this.brokers.size()).configs(settings)))
			.all());
	}

	/**
	 * Return how many records a topic has.
	 * @param topic the name of the topic
	 * @return the number of records, those of aborted transactions included
	 */
	public long size(String topic) {
		try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
			return consumer.endOffsets(partitions(consumer, topic)).values().stream().mapToLong(Long::longValue).sum();
		}
	}

	private KafkaConsumer<byte[], byte[]> consumer() {
		return new KafkaConsumer<>(Map.of("bootstrap.servers", address()), new ByteArrayDeserializer(),
				new ByteArrayDeserializer());
	}

	private static List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer, String topic) {
		return consumer.partitionsFor(topic)
			.stream()
			.map((partition) -> new TopicPartition(topic, partition.partition()))
			.toList();
	}

	/**
	 * Return the records of a topic, in the order of each partition.
	 * @param topic the name of the topic
	 * @return the records
	 */
	public List<ConsumerRecord<byte[], byte[]>> records(String topic) {
		List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
		try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
			List<TopicPartition> partitions = partitions(consumer, topic);
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
	 * Kill the brokers and delete their data.
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
