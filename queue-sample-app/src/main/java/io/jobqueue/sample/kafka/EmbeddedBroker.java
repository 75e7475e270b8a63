package io.jobqueue.sample.kafka;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/**
 * A broker in this JVM.
 */
final class EmbeddedBroker implements AutoCloseable {

	private static final String HOST = "localhost";

	private final KafkaRaftServer server;

	private final String address;

	private EmbeddedBroker(KafkaRaftServer server, String address) {
		this.server = server;
		this.address = address;
	}

	/**
	 * Start the broker, whose topics outlive it.
	 * @param folder the folder of its data
	 * @return the broker, which answers
	 */
	static EmbeddedBroker start(Path folder) throws IOException {
		String address = freeAddress();
		Map<String, String> settings = settings(folder, address, freeAddress());
		if (Files.notExists(folder.resolve("topics").resolve("meta.properties"))) {
			format(Files.createDirectories(folder).resolve("server.properties"), settings);
		}
		KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
		server.startup();
		return new EmbeddedBroker(server, address);
	}

	private static String freeAddress() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return HOST + ":" + socket.getLocalPort();
		}
	}

	/**
	 * One partition for the offsets of groups instead of 50, and the least memory for
	 * their cleaner.
	 */
	private static Map<String, String> settings(Path folder, String address, String controller) {
		return Map.ofEntries(Map.entry("process.roles", "broker,controller"), Map.entry("node.id", "1"),
				Map.entry("listeners", "PLAINTEXT://%s,CONTROLLER://%s".formatted(address, controller)),
				Map.entry("controller.listener.names", "CONTROLLER"),
				Map.entry("controller.quorum.voters", "1@" + controller),
				Map.entry("log.dirs", folder.resolve("topics").toString()),
				Map.entry("auto.create.topics.enable", "false"), Map.entry("offsets.topic.replication.factor", "1"),
				Map.entry("offsets.topic.num.partitions", "1"), Map.entry("log.cleaner.dedupe.buffer.size", "2097152"),
				Map.entry("group.initial.rebalance.delay.ms", "0"));
	}

	private static void format(Path file, Map<String, String> settings) throws IOException {
		Files.writeString(file,
				settings.entrySet()
					.stream()
					.map((setting) -> "%s=%s\n".formatted(setting.getKey(), setting.getValue()))
					.collect(Collectors.joining()));
		StorageTool.execute(
				new String[] { "format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString() },
				new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
	}

	String address() {
		return this.address;
	}

	@Override
	public void close() {
		this.server.shutdown();
		this.server.awaitShutdown();
	}

}
