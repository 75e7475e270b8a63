#!/usr/bin/env bash
# Apache Kafka 4.2.1, one broker. A consumer has polled 10 records of a topic, which is deleted and created again. Then 15 records are
# sent to the new topic, and the same consumer goes on.
# Expected: it polls the new topic, which has another id, from offset 0 on, as its group has no offset there (auto.offset.reset=earliest).
# Seen: with both group protocols, it polls from offset 10 on, its old position, if it was not polling meanwhile: who commits then never
# gets the records 0 to 9. A consumer that is opened after the deletion gets them.
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

cat >Recreated.java <<'JAVA'
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;

public class Recreated {

	private static String address;

	private static Admin admin;

	public static void main(String[] args) throws Exception {
		System.out.println("Kafka " + AppInfoParser.getVersion());
		address = "localhost:" + startBroker();
		admin = Admin.create(Map.of("bootstrap.servers", address));
		for (String protocol : List.of("classic", "consumer")) {
			System.out.println("%s, the same consumer: the first record has offset %s".formatted(protocol, goOn(protocol)));
			System.out.println("%s, a new consumer: the first record has offset %s".formatted(protocol, openAgain(protocol)));
		}
		System.exit(0);
	}

	private static long goOn(String protocol) throws Exception {
		String topic = protocol + "-1";
		try (KafkaConsumer<String, String> consumer = consumer(protocol, topic)) {
			prepare(topic, consumer);
			recreate(topic);
			return firstOffset(consumer);
		}
	}

	private static long openAgain(String protocol) throws Exception {
		String topic = protocol + "-2";
		try (KafkaConsumer<String, String> consumer = consumer(protocol, topic)) {
			prepare(topic, consumer);
		}
		recreate(topic);
		try (KafkaConsumer<String, String> consumer = consumer(protocol, topic)) {
			return firstOffset(consumer);
		}
	}

	private static KafkaConsumer<String, String> consumer(String protocol, String topic) {
		KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
				Map.of("bootstrap.servers", address, "group.id", topic, "group.protocol", protocol, "auto.offset.reset", "earliest",
						"enable.auto.commit", false, "metadata.max.age.ms", 1_000),
				new StringDeserializer(), new StringDeserializer());
		consumer.subscribe(List.of(topic));
		return consumer;
	}

	private static void prepare(String topic, KafkaConsumer<String, String> consumer) throws Exception {
		admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
		send(topic, 10);
		for (int polled = 0; polled < 10;) {
			polled += consumer.poll(Duration.ofMillis(200)).count();
		}
		consumer.commitSync();
	}

	private static void recreate(String topic) throws Exception {
		admin.deleteTopics(List.of(topic)).all().get();
		while (true) {
			try {
				admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
				break;
			}
			catch (Exception ex) {
				Thread.sleep(100);
			}
		}
		send(topic, 15);
	}

	private static void send(String topic, int records) {
		try (KafkaProducer<String, String> producer = new KafkaProducer<>(Map.of("bootstrap.servers", address), new StringSerializer(),
				new StringSerializer())) {
			for (int number = 0; number < records; number++) {
				producer.send(new ProducerRecord<>(topic, "value"));
			}
		}
	}

	private static long firstOffset(KafkaConsumer<String, String> consumer) {
		while (true) {
			for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
				return record.offset();
			}
		}
	}

	private static int startBroker() throws Exception {
		int port = freePort();
		int controller = freePort();
		Path file = Path.of("broker.properties").toAbsolutePath();
		Files.write(file, List.of("process.roles=broker,controller", "node.id=1",
				"listeners=PLAINTEXT://localhost:%s,CONTROLLER://localhost:%s".formatted(port, controller), "controller.listener.names=CONTROLLER",
				"controller.quorum.voters=1@localhost:" + controller, "log.dirs=" + Path.of("data").toAbsolutePath(),
				"offsets.topic.replication.factor=1", "offsets.topic.num.partitions=1"));
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
javac -d classes -cp 'lib/*' Recreated.java
java -cp 'classes:lib/*' Recreated 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Kafka 4.2.1
classic, the same consumer: the first record has offset 10
classic, a new consumer: the first record has offset 0
consumer, the same consumer: the first record has offset 10
consumer, a new consumer: the first record has offset 0
EXPECTED
