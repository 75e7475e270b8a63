#!/usr/bin/env bash
# Apache Kafka 4.2.1, three brokers, a topic with a replica on each. The leader of its partition is killed; another broker leads it
# after the session time-out of 3 s. At once after the kill, the end of the partition is asked for with a time-out of 30 s.
# Expected: Admin.listOffsets finds the new leader within that time, as KafkaConsumer.endOffsets does.
# Seen: it waits for the killed broker until the time-out. Asked once more, the same client answers.
set -euo pipefail
folder=$(mktemp -d)
trap 'pkill -KILL -f "kafka.Kafka $folder/" || true; rm -rf "$folder"' EXIT
cd "$folder"

cat >pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>example</groupId>
	<artifactId>example</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>org.apache.kafka</groupId>
			<artifactId>kafka_2.13</artifactId>
			<version>4.2.1</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >KilledLeader.java <<'JAVA'
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.utils.AppInfoParser;

public class KilledLeader {

	private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

	private static final List<Process> BROKERS = new ArrayList<>();

	public static void main(String[] args) throws Exception {
		System.out.println("Kafka " + AppInfoParser.getVersion());
		String addresses = start();
		Map<String, Object> settings = Map.of("bootstrap.servers", addresses, "default.api.timeout.ms", "30000");
		try (Admin admin = Admin.create(settings);
				KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
			while (admin.describeCluster().nodes().get().size() < 3) {
				Thread.sleep(500);
			}
			admin.createTopics(List.of(new NewTopic("topic", 1, (short) 3))).all().get();
			System.out.println("admin: " + end(admin));
			int leader = consumer.partitionsFor("topic").get(0).leader().id();
			BROKERS.get(leader - 1).destroyForcibly().waitFor();
			System.out.println("killed");
			CompletableFuture<String> consumed = CompletableFuture
				.supplyAsync(() -> "consumer: " + consumer.endOffsets(List.of(PARTITION)).get(PARTITION));
			String administered = "admin: " + end(admin);
			System.out.println(consumed.get());
			System.out.println(administered);
			System.out.println("admin: " + end(admin));
		}
		BROKERS.forEach(Process::destroyForcibly);
	}

	private static String end(Admin admin) throws InterruptedException {
		try {
			return String.valueOf(admin.listOffsets(Map.of(PARTITION, OffsetSpec.latest())).partitionResult(PARTITION).get().offset());
		}
		catch (ExecutionException ex) {
			return ex.getCause().getMessage();
		}
	}

	private static String start() throws Exception {
		List<Integer> ports = new ArrayList<>();
		for (int index = 0; index < 6; index++) {
			try (ServerSocket socket = new ServerSocket(0)) {
				ports.add(socket.getLocalPort());
			}
		}
		String voters = "1@localhost:%s,2@localhost:%s,3@localhost:%s".formatted(ports.get(3), ports.get(4), ports.get(5));
		for (int id = 1; id <= 3; id++) {
			Path file = Path.of("broker" + id + ".properties").toAbsolutePath();
			Files.write(file, List.of("process.roles=broker,controller", "node.id=" + id,
					"listeners=PLAINTEXT://localhost:%s,CONTROLLER://localhost:%s".formatted(ports.get(id - 1), ports.get(id + 2)),
					"controller.listener.names=CONTROLLER", "controller.quorum.voters=" + voters, "log.dirs=" + Path.of("data" + id).toAbsolutePath(),
					"broker.session.timeout.ms=3000", "broker.heartbeat.interval.ms=500"));
			java("kafka.tools.StorageTool", "format", "--cluster-id", "4L6g3nShT-eMCtK--X86sw", "--config", file.toString()).waitFor();
			BROKERS.add(java("kafka.Kafka", file.toString()));
		}
		return "localhost:%s,localhost:%s,localhost:%s".formatted(ports.get(0), ports.get(1), ports.get(2));
	}

	private static Process java(String... command) throws Exception {
		List<String> all = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp", "lib/*"));
		all.addAll(List.of(command));
		return new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
	}

}
JAVA
javac -d classes -cp 'lib/*' KilledLeader.java
java -cp 'classes:lib/*' KilledLeader 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Kafka 4.2.1
admin: 0
killed
consumer: 0
admin: Timed out waiting for a node assignment. Call: listOffsets(api=LIST_OFFSETS)
admin: 0
EXPECTED
