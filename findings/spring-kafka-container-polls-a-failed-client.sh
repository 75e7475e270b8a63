#!/usr/bin/env bash
# Spring for Apache Kafka 4.1.1 with Apache Kafka 4.2.1, one broker, group.protocol=consumer, two listener containers with the same
# group.instance.id. The second one is refused (UnreleasedInstanceIdException) until the first one stops.
# Expected: the container ends with the reason FENCED, as with the classic protocol, or a later poll joins the group.
# Seen: the exception goes to the error handler. The container keeps running and polls its client, which has failed for good and returns
# nothing, without an exception; idle events follow. After the first container has stopped, it gets no record. A consumer that is opened
# then, with the same id, gets it.
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
		<dependency>
			<groupId>org.springframework.kafka</groupId>
			<artifactId>spring-kafka</artifactId>
			<version>4.1.1</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >Refused.java <<'JAVA'
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.AppInfoParser;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.event.ConsumerStoppedEvent;
import org.springframework.kafka.event.ListenerContainerIdleEvent;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.MessageListenerContainer;

public class Refused {

	private static DefaultKafkaConsumerFactory<String, String> factory;

	public static void main(String[] args) throws Exception {
		System.out.println("Kafka " + AppInfoParser.getVersion());
		Map<String, Object> settings = Map.of("bootstrap.servers", "localhost:" + startBroker());
		try (Admin admin = Admin.create(settings)) {
			admin.createTopics(List.of(new NewTopic("topic", 1, (short) 1))).all().get();
		}
		Map<String, Object> consumed = new HashMap<>(settings);
		consumed.putAll(Map.of("group.id", "group", "group.protocol", "consumer", "group.instance.id", "same", "auto.offset.reset", "earliest"));
		factory = new DefaultKafkaConsumerFactory<>(consumed, new StringDeserializer(), new StringDeserializer());
		try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
			producer.send(new ProducerRecord<>("topic", "one")).get();
			BlockingQueue<String> ofFirst = new LinkedBlockingQueue<>();
			KafkaMessageListenerContainer<String, String> first = start(ofFirst);
			System.out.println("first: " + ofFirst.take());
			BlockingQueue<String> ofSecond = new LinkedBlockingQueue<>();
			KafkaMessageListenerContainer<String, String> second = start(ofSecond);
			System.out.println("second: " + ofSecond.take());
			System.out.println("second: " + ofSecond.take());
			first.stop();
			producer.send(new ProducerRecord<>("topic", "two")).get();
			ofSecond.clear();
			String next = ofSecond.take();
			for (int events = 0; events < 10 && next.equals("idle"); events++) {
				next = ofSecond.take();
			}
			System.out.println("first has stopped, second: %s, running: %s".formatted(next, second.isRunning()));
			second.stop();
		}
		try (Consumer<String, String> opened = factory.createConsumer()) {
			opened.subscribe(List.of("topic"));
			for (String value = null; value == null;) {
				for (ConsumerRecord<String, String> record : opened.poll(Duration.ofSeconds(1))) {
					value = record.value();
				}
				if (value != null) {
					System.out.println("a new consumer: handles " + value);
				}
			}
		}
		System.exit(0);
	}

	private static KafkaMessageListenerContainer<String, String> start(BlockingQueue<String> seen) {
		ContainerProperties properties = new ContainerProperties("topic");
		properties.setMessageListener((MessageListener<String, String>) (record) -> seen.add("handles " + record.value()));
		properties.setIdleEventInterval(1_000L);
		properties.setIdleBeforeDataMultiplier(1);
		properties.setPollTimeout(500);
		KafkaMessageListenerContainer<String, String> container = new KafkaMessageListenerContainer<>(factory, properties);
		container.setCommonErrorHandler(new DefaultErrorHandler() {

			@Override
			public void handleOtherException(Exception failure, Consumer<?, ?> consumer, MessageListenerContainer owner, boolean batch) {
				seen.add("handler of errors, " + failure.getClass().getSimpleName());
			}

		});
		container.setApplicationEventPublisher((event) -> {
			if (event instanceof ListenerContainerIdleEvent) {
				seen.add("idle");
			}
			else if (event instanceof ConsumerStoppedEvent stopped) {
				seen.add("stopped, " + stopped.getReason());
			}
		});
		container.start();
		return container;
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
javac -d classes -cp 'lib/*' Refused.java
java -cp 'classes:lib/*' Refused 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
Kafka 4.2.1
first: handles one
second: handler of errors, UnreleasedInstanceIdException
second: idle
first has stopped, second: idle, running: true
a new consumer: handles two
EXPECTED
