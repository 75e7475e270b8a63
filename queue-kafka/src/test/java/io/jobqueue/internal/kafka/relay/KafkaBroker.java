package io.jobqueue.internal.kafka.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import io.jobqueue.testpostgres.ChildJvm;

/**
 * A broker in a JVM of its own, which can be suspended, killed and started again. The
 * tests of a JVM share one.
 */
final class KafkaBroker {

	static final KafkaBroker SHARED = new KafkaBroker();

	private final Path folder;

	private final int port = freePort();

	private final int controllerPort = freePort();

	private ChildJvm process;

	private KafkaBroker() {
		try {
			this.folder = Files.createTempDirectory("kafka");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().addShutdownHook(new Thread(() -> this.process.kill()));
		start();
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Start the broker after {@link #kill}, and wait until it answers.
	 */
	void start() {
		this.process = ChildJvm.start(BrokerMain.class, Map.of(), this.folder.toString(), String.valueOf(this.port),
				String.valueOf(this.controllerPort));
		try (Admin admin = admin()) {
			admin.describeCluster().nodes().get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void kill() {
		this.process.kill();
	}

	void freeze() {
		this.process.freeze();
	}

	void thaw() {
		this.process.thaw();
	}

	String address() {
		return "localhost:" + this.port;
	}

	private Admin admin() {
		return Admin.create(Map.of("bootstrap.servers", address(), "default.api.timeout.ms", "60000"));
	}

	/**
	 * Create a topic with three partitions.
	 * @param settings its settings
	 * @return its unique name
	 */
	String topic(Map<String, String> settings) {
		String name = "t-" + UUID.randomUUID();
		create(name, settings);
		return name;
	}

	void create(String name, Map<String, String> settings) {
		try (Admin admin = admin()) {
			admin.createTopics(List.of(new NewTopic(name, 3, (short) 1).configs(settings))).all().get();
		}
		catch (InterruptedException | ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the records of a topic, in the order of each partition.
	 */
	List<ConsumerRecord<byte[], byte[]>> records(String topic) {
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
			while (partitions.stream().anyMatch((each) -> consumer.position(each) < ends.get(each))) {
				consumer.poll(Duration.ofMillis(100)).forEach(records::add);
			}
		}
		return records;
	}

}
