#!/usr/bin/env bash
# Apache Kafka 4.2.1, one broker, a share group with explicit acknowledgement. A consumer polls one record, renews its lock
# (AcknowledgeType.RENEW) with commitSync, which reports success, and then accepts the record that it still holds.
# Expected: the record can be accepted, since the renewal extends the lock of a delivery that goes on.
# Seen: acknowledge throws IllegalStateException. The same offset comes from the next poll with the same delivery count, and only this
# second object can be accepted.
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

cat >Renewed.java <<'JAVA'
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;

public class Renewed {

	public static void main(String[] args) throws Exception {
		System.out.println("Kafka " + AppInfoParser.getVersion());
		Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:" + startBroker());
		try (Admin admin = Admin.create(settings)) {
			admin.createTopics(List.of(new NewTopic("topic", 1, (short) 1))).all().get();
			admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, "group"),
					List.of(new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
				.all()
				.get();
		}
		try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
			producer.send(new ProducerRecord<>("topic", "value")).get();
		}
		Map<String, Object> consumed = Map.of("bootstrap.servers", settings.get("bootstrap.servers"), "group.id", "group",
				"share.acknowledgement.mode", "explicit");
		try (KafkaShareConsumer<String, String> consumer = new KafkaShareConsumer<>(consumed, new StringDeserializer(), new StringDeserializer())) {
			consumer.subscribe(List.of("topic"));
			ConsumerRecord<String, String> first = polled(consumer);
			consumer.acknowledge(first, AcknowledgeType.RENEW);
			System.out.println("renewed, errors: " + consumer.commitSync().values().stream().flatMap(Optional::stream).toList());
			accept(consumer, first);
			ConsumerRecord<String, String> second = polled(consumer);
			accept(consumer, second);
			System.out.println("accepted, errors: " + consumer.commitSync().values().stream().flatMap(Optional::stream).toList());
		}
	}

	private static ConsumerRecord<String, String> polled(KafkaShareConsumer<String, String> consumer) {
		while (true) {
			for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
				System.out.println("polled: offset %s, delivery %s".formatted(record.offset(), record.deliveryCount().get()));
				return record;
			}
		}
	}

	private static void accept(KafkaShareConsumer<String, String> consumer, ConsumerRecord<String, String> record) {
		try {
			consumer.acknowledge(record, AcknowledgeType.ACCEPT);
			System.out.println("acknowledge: done");
		}
		catch (IllegalStateException ex) {
			System.out.println("acknowledge: " + ex.getMessage());
		}
	}

	private static int startBroker() throws Exception {
		int port = freePort();
		int controller = freePort();
		Path file = Path.of("broker.properties").toAbsolutePath();
		Files.write(file, List.of("process.roles=broker,controller", "node.id=1",
				"listeners=PLAINTEXT://localhost:%s,CONTROLLER://localhost:%s".formatted(port, controller), "controller.listener.names=CONTROLLER",
				"controller.quorum.voters=1@localhost:" + controller, "log.dirs=" + Path.of("data").toAbsolutePath(),
				"offsets.topic.replication.factor=1", "offsets.topic.num.partitions=1", "share.coordinator.state.topic.replication.factor=1",
				"share.coordinator.state.topic.min.isr=1", "share.coordinator.state.topic.num.partitions=1"));
		java("kafka.tools.StorageTool", "format", "--cluster-id", "4L6g3nShT-eMCtK--X86sw", "--config", file.toString()).waitFor();
		java("kafka.Kafka", file.toString());
		return port;
	}

	private static int freePort() throws Exception {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private static Process java(String... command) throws Exception {
		List<String> all = new ArrayList<>(List.of(ProcessHandle.current().info().command().orElse("java"), "-cp", "lib/*"));
		all.addAll(List.of(command));
		return new ProcessBuilder(all).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
	}

}
JAVA
javac -d classes -cp 'lib/*' Renewed.java
java -cp 'classes:lib/*' Renewed 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Kafka 4.2.1
polled: offset 0, delivery 1
renewed, errors: []
acknowledge: The record cannot be acknowledged.
polled: offset 0, delivery 1
acknowledge: done
accepted, errors: []
EXPECTED
