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
import java.util.concurrent.Future;
import java.util.stream.Collectors;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka cluster whose brokers run in JVMs of their own, which can be suspended, killed
 * and started again. Modules that use it have the broker and its clients as dependencies.
 */
public final class KafkaCluster implements AutoCloseable {

	private static final int DEFAULT_PARTITIONS = 3;

	private static final int CALL_TIMEOUT = 5_000;

	private final Path folder;

	private final List<BrokerProcess> brokers;

	private final Admin admin;

	private @Nullable KafkaConsumer<byte[], byte[]> reader;

	private @Nullable KafkaProducer<byte[], byte[]> producer;

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
			this.folder = Folders.create("kafka");
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

	private static <T> T get(Future<T> future) {
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
	 * Kill the brokers that run (SIGKILL), start them again, and wait until the cluster
	 * answers. Those that were killed before stay so.
	 */
	public void restart() {
		List<BrokerProcess> running = running();
		running.forEach(BrokerProcess::kill);
		running.forEach(BrokerProcess::start);
		get(this.admin.describeCluster().nodes());
	}

	private List<BrokerProcess> running() {
		return this.brokers.stream().filter(BrokerProcess::isRunning).toList();
	}

	/**
	 * Kill the broker that leads the first partition of a topic (SIGKILL).
	 * @param topic the name of the topic
	 */
	public void killLeader(String topic) {
		this.brokers.get(partitions(topic).get(0).leader().id() - 1).kill();
	}

	private List<TopicPartitionInfo> partitions(String topic) {
		return get(this.admin.describeTopics(List.of(topic)).allTopicNames()).values()
			.stream()
			.flatMap((each) -> each.partitions().stream())
			.toList();
	}

	/**
	 * Suspend the brokers that run (SIGSTOP).
	 */
	public void freeze() {
		running().forEach(BrokerProcess::freeze);
	}

	/**
	 * Resume the brokers that run (SIGCONT).
	 */
	public void thaw() {
		running().forEach(BrokerProcess::thaw);
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
	 * Send records, and wait until the brokers have acknowledged them.
	 * @param records the records
	 */
	public synchronized void send(List<ProducerRecord<byte[], byte[]>> records) {
		if (this.producer == null) {
			this.producer = new KafkaProducer<>(Map.of("bootstrap.servers", address()), new ByteArraySerializer(),
					new ByteArraySerializer());
		}
		List<Future<RecordMetadata>> sent = new ArrayList<>();
		for (ProducerRecord<byte[], byte[]> record : records) {
			sent.add(this.producer.send(record));
		}
		this.producer.flush();
		sent.forEach(KafkaCluster::get);
	}

	/**
	 * Return the number of offsets of a topic.
	 * @param topic the name of the topic
	 * @return the number of its records and of the markers of transactions
	 */
	public long size(String topic) {
		return ends(topic).values().stream().mapToLong(ListOffsetsResultInfo::offset).sum();
	}

	/**
	 * A leader that was killed since it was looked up would be awaited for long.
	 */
	private Map<TopicPartition, ListOffsetsResultInfo> ends(String topic) {
		return get(
				this.admin
					.listOffsets(
							partitions(topic).stream()
								.collect(Collectors.toMap((each) -> new TopicPartition(topic, each.partition()),
										(each) -> OffsetSpec.latest())),
							new ListOffsetsOptions().timeoutMs(CALL_TIMEOUT))
					.all());
	}

	/**
	 * Return the records of a topic, in the order of each partition.
	 * @param topic the name of the topic
	 * @return the records
	 */
	public synchronized List<ConsumerRecord<byte[], byte[]>> records(String topic) {
		if (this.reader == null) {
			this.reader = new KafkaConsumer<>(Map.of("bootstrap.servers", address()), new ByteArrayDeserializer(),
					new ByteArrayDeserializer());
		}
		return records(this.reader, ends(topic));
	}

	private static List<ConsumerRecord<byte[], byte[]>> records(KafkaConsumer<byte[], byte[]> consumer,
			Map<TopicPartition, ListOffsetsResultInfo> ends) {
		List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
		consumer.assign(ends.keySet());
		consumer.seekToBeginning(ends.keySet());
		while (ends.entrySet().stream().anyMatch((end) -> consumer.position(end.getKey()) < end.getValue().offset())) {
			consumer.poll(Duration.ofMillis(100)).forEach(records::add);
		}
		return records;
	}

	/**
	 * Kill the brokers and delete their data.
	 */
	@Override
	public void close() {
		this.admin.close(Duration.ZERO);
		closeClients();
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

	private synchronized void closeClients() {
		if (this.producer != null) {
			this.producer.close(Duration.ZERO);
		}
		if (this.reader != null) {
			this.reader.close(CloseOptions.timeout(Duration.ZERO));
		}
	}

}
