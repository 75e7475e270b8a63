#!/usr/bin/env bash
# Apache Kafka 4.2.1, one broker, a share group of four consumers on one partition, one record at a time, explicit acknowledgement.
# Several records are accepted at the same time, and the map of each commitSync reports success.
# Expected: the lag of the group, as listShareGroupOffsets of the admin client returns it, is 0 soon after.
# Seen: in some rounds the lag stays above 0 for as long as nothing else is acknowledged. No record is delivered again. Once one more
# record is accepted, alone, the lag is 0. Kafka 4.3.1 does the same, 4.4.0 does not.
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

cat >Lag.java <<'JAVA'
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
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

public class Lag {

	private static final int CONSUMERS = 4;

	private static final int ROUNDS = 2_000;

	private static final AtomicInteger accepted = new AtomicInteger();

	private static final AtomicInteger refused = new AtomicInteger();

	private static final AtomicInteger again = new AtomicInteger();

	public static void main(String[] args) throws Exception {
		System.out.println("Kafka " + AppInfoParser.getVersion());
		Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:" + startBroker());
		try (Admin admin = Admin.create(settings);
				KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
			admin.createTopics(List.of(new NewTopic("topic", 1, (short) 1))).all().get();
			admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, "group"),
					List.of(new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
				.all()
				.get();
			for (int number = 0; number < CONSUMERS; number++) {
				Thread consumer = new Thread(() -> consume((String) settings.get("bootstrap.servers")));
				consumer.setDaemon(true);
				consumer.start();
			}
			boolean behind = false;
			for (int round = 0; round < ROUNDS && !behind; round++) {
				send(producer, CONSUMERS);
				behind = !becomesTrue(Duration.ofSeconds(10), () -> lag(admin) == 0);
			}
			System.out.println("lag after 10 s: " + (behind ? "above 0" : "0"));
			send(producer, 1);
			System.out.println("lag after one more record: " + (becomesTrue(Duration.ofSeconds(10), () -> lag(admin) == 0) ? "0" : "above 0"));
		}
		System.out.println("refused: %s, delivered again: %s".formatted(refused, again));
		System.exit(0);
	}

	private static void send(KafkaProducer<String, String> producer, int records) throws Exception {
		int all = accepted.get() + records;
		for (int number = 0; number < records; number++) {
			producer.send(new ProducerRecord<>("topic", "value"));
		}
		producer.flush();
		if (!becomesTrue(Duration.ofSeconds(60), () -> accepted.get() == all)) {
			throw new IllegalStateException("%s of %s records were accepted".formatted(accepted, all));
		}
	}

	private static void consume(String servers) {
		Map<String, Object> settings = Map.of("bootstrap.servers", servers, "group.id", "group", "share.acknowledgement.mode", "explicit",
				"share.acquire.mode", "record_limit", "max.poll.records", 1);
		try (KafkaShareConsumer<String, String> consumer = new KafkaShareConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
			consumer.subscribe(List.of("topic"));
			while (true) {
				for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
					if (record.deliveryCount().get() > 1) {
						again.incrementAndGet();
					}
					consumer.acknowledge(record, AcknowledgeType.ACCEPT);
					consumer.commitSync().values().forEach((result) -> (result.isEmpty() ? accepted : refused).incrementAndGet());
				}
			}
		}
	}

	private static long lag(Admin admin) {
		try {
			return admin.listShareGroupOffsets(Map.of("group", new ListShareGroupOffsetsSpec()))
				.partitionsToOffsetInfo("group")
				.get()
				.values()
				.stream()
				.mapToLong((info) -> info.lag().orElse(-1L))
				.sum();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean becomesTrue(Duration time, BooleanSupplier condition) throws InterruptedException {
		long end = System.nanoTime() + time.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() > end) {
				return false;
			}
			Thread.sleep(5);
		}
		return true;
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
javac -d classes -cp 'lib/*' Lag.java
java -cp 'classes:lib/*' Lag 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Kafka 4.2.1
lag after 10 s: above 0
lag after one more record: 0
refused: 0, delivered again: 0
EXPECTED
