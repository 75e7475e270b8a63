package io.jobqueue.internal.kafka.consume;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.CrashableServer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Faults while nodes run the records of a topic: each record is consumed, and those of a
 * key are in their order once repeated ones are left out.
 */
@Tag("slow") // kills and suspends JVMs, brokers and a database server
class DirectChaosTests extends ConsumeTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int RECORDS = 600;

	private static final int KEYS = 30;

	@TempDir
	private static Path folder;

	private final Path consumed = folder.resolve("consumed");

	private int sent;

	DirectChaosTests() {
		super(BROKER.topic(Map.of()), "group-" + UUID.randomUUID());
	}

	@Test
	void recordsAreConsumedInTheOrderOfTheirKeys() {
		List<String> table = new ArrayList<>(List.of("| fault | records | consumed more than once | became jobs |"));
		try (CrashableServer server = new CrashableServer()) {
			new SchemaMigration(server.dataSource(), null, true).afterPropertiesSet();
			JdbcClient database = JdbcClient.create(server.dataSource());
			try (ChildJvm child = ChildJvm.start(Consumer.class, Map.of(), settings(server, "child"));
					ConfigurableApplicationContext other = KafkaApplication.run(Consumer.class,
							settings(server, "other"))) {
				child.awaitLine(KafkaApplication.STARTED, PATIENCE);
				await().until(() -> members() == 2);
				table.add(row("one of two nodes is suspended until the other one has its partitions", child::freeze,
						database));
				table.add(row("it goes on", child::thaw, database));
				table.add(row("one of two nodes is killed", child::kill, database));
				table.add(row("the database server crashes, and recovers", server::crash, database));
				table.add(row("the broker is killed, and starts again", DirectChaosTests::restart, database));
				assertThat(other.isRunning()).isTrue();
			}
		}
		System.out.println(String.join(System.lineSeparator(), table));
	}

	/**
	 * Return the number of members that have partitions.
	 */
	private long members() throws Exception {
		return BROKER.admin()
			.describeConsumerGroups(List.of(this.group))
			.describedGroups()
			.get(this.group)
			.get()
			.members()
			.stream()
			.filter((each) -> !each.assignment().topicPartitions().isEmpty())
			.count();
	}

	private static void restart() {
		BROKER.kill();
		BROKER.start();
	}

	private String[] settings(CrashableServer server, String name) {
		return new String[] { setting("queue=inbox"), setting("group=" + this.group), "consumed=" + this.consumed,
				"spring.datasource.url=" + server.jdbcUrl(), "spring.kafka.bootstrap-servers=" + BROKER.address(),
				"spring.kafka.consumer.properties.session.timeout.ms=2000",
				"spring.kafka.consumer.properties.heartbeat.interval.ms=500", "jobqueue.worker.name=" + name,
				"jobqueue.worker.heartbeat-interval=500ms", "jobqueue.worker.timeout=2s",
				"jobqueue.reaper.interval=500ms", "jobqueue.queues.inbox.max-attempts=20" };
	}

	/**
	 * The fault happens while records run.
	 */
	private String row(String fault, Runnable injection, JdbcClient database) {
		int consumedBefore = consumed().size();
		long jobsBefore = count(database, "jobqueue_jobs");
		send(next());
		this.sent += RECORDS;
		await().until(() -> consumed().size() > consumedBefore + RECORDS / 4);
		injection.run();
		await().atMost(PATIENCE)
			.ignoreExceptions()
			.until(() -> committed() == this.sent && count(database, "jobqueue_job") == 0);
		assertOrder();
		return "| %s | %d | %d | %d |".formatted(fault, RECORDS, consumed().size() - consumedBefore - RECORDS,
				count(database, "jobqueue_jobs") - jobsBefore);
	}

	private List<ProducerRecord<byte[], byte[]>> next() {
		return IntStream.range(this.sent, this.sent + RECORDS)
			.mapToObj((number) -> order("key-" + number % KEYS, number, null))
			.toList();
	}

	private static long count(JdbcClient database, String jobs) {
		return database.sql("SELECT count(*) FROM " + jobs).query(Long.class).single();
	}

	private List<Integer> consumed() {
		try {
			return Files.exists(this.consumed)
					? Files.readAllLines(this.consumed).stream().map(Integer::valueOf).toList() : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void assertOrder() {
		Set<Integer> first = new LinkedHashSet<>(consumed());
		assertThat(first).hasSize(this.sent);
		for (int key = 0; key < KEYS; key++) {
			int remainder = key;
			assertThat(first.stream().filter((number) -> number % KEYS == remainder)).isSorted();
		}
	}

	/**
	 * A node, in this JVM or in one of its own, which notes in a file what it has
	 * consumed. One of 49 records fails once.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Consumer {

		private final FileChannel consumed;

		Consumer(@Value("${consumed}") Path consumed) throws IOException {
			this.consumed = FileChannel.open(consumed, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
		}

		public static void main(String[] settings) {
			if (KafkaApplication.run(Consumer.class, settings).isRunning()) {
				System.out.println(KafkaApplication.STARTED);
			}
		}

		@JobHandler(queue = "inbox")
		void handle(Order order, JobContext job) throws IOException, InterruptedException {
			Thread.sleep(20);
			if (order.number() % 49 == 0 && job.attempt() == 1) {
				throw new IllegalStateException("failed once");
			}
			this.consumed.write(UTF_8.encode(order.number() + "\n"));
		}

	}

}
