package io.jobqueue.internal.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.JobType;
import io.jobqueue.internal.kafka.record.JobHeaders;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.CrashableServer;
import io.jobqueue.testpostgres.KafkaCluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Faults while two nodes relay jobs to a topic, run the records of another one directly,
 * and take those of the first one into an inbox. Nothing is lost, and what has a key is
 * in its order once repetitions are left out.
 */
@Tag("slow") // kills and suspends JVMs, brokers and a database server
class ChaosTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/**
	 * The session of a suspended consumer ends after 2 s, and its transaction is ended by
	 * the server after 2 s.
	 */
	private static final Duration TAKEOVER = Duration.ofSeconds(15);

	private static final int JOBS = 600;

	private static final int JOB_KEYS = 10;

	private static final int RECORDS = 600;

	private static final int RECORD_KEYS = 30;

	private static final int HALTS = 3;

	/**
	 * The first node waits for a lock while the test holds it, in transactions that have
	 * locked partitions or keys. The trigger stays: to drop it, the test would wait for
	 * other transactions of a suspended node.
	 */
	private static final String STALL = """
			CREATE FUNCTION stall() RETURNS trigger LANGUAGE plpgsql AS
			    'BEGIN PERFORM pg_advisory_xact_lock_shared(49); RETURN NEW; END';
			CREATE TRIGGER stall BEFORE INSERT ON jobqueue_key FOR EACH ROW
			    WHEN (current_setting('application_name') = 'one') EXECUTE FUNCTION stall()
			""";

	private static final String STALLED = """
			SELECT count(*) FROM pg_stat_activity WHERE application_name = 'one' AND wait_event = 'advisory'
			""";

	private static final KafkaCluster CLUSTER = new KafkaCluster(3);

	@TempDir
	private static Path folder;

	private final String relayed = topic();

	private final String records = topic();

	private final Path handled = folder.resolve("handled");

	private final Path copied = folder.resolve("copied");

	private final Set<String> ids = new LinkedHashSet<>();

	private final Map<String, List<String>> idsByKey = new TreeMap<>();

	private final CrashableServer server = new CrashableServer();

	private final JdbcClient sql = JdbcClient.create(this.server.dataSource());

	private int enqueued;

	private int sent;

	private int halts;

	private static String topic() {
		return CLUSTER.topic(Map.of("min.insync.replicas", "2"));
	}

	@AfterAll
	static void close() {
		CLUSTER.close();
	}

	@Test
	void nothingIsLostAndKeysKeepTheirOrder() throws Exception {
		List<String> table = new ArrayList<>(List.of("| fault | jobs | sent more than once | attempts counted"
				+ " | ran more than once from the inbox | records | ran more than once | became jobs |"));
		new SchemaMigration(this.server.dataSource(), null, true).afterPropertiesSet();
		try (ChildJvm one = ChildJvm.start(Node.class, Map.of(), settings("one", "halts=true"));
				ChildJvm other = ChildJvm.start(Node.class, Map.of(), settings("other"));
				ConfigurableApplicationContext application = KafkaApplication.run(settings("producer", IDLE))) {
			one.awaitLine(KafkaApplication.STARTED, PATIENCE);
			other.awaitLine(KafkaApplication.STARTED, PATIENCE);
			JobQueue queue = application.getBean(JobQueue.class);
			awaitMembers(2);
			table.add(suspended(one, queue));
			table.add(row("it goes on", queue, () -> {
				one.thaw();
				one.awaitLine("Other nodes have taken over", PATIENCE);
			}));
			awaitMembers(2);
			table.add(row("a record kills one of two nodes", queue, () -> halt(one)));
			assertThat(dead()).containsExactly(2, 2, 2);
			table.add(row("one of three brokers is killed", queue, () -> CLUSTER.killLeader(this.records)));
			table.add(row("the other two are killed, and start again", queue, CLUSTER::restart));
			table.add(row("the database server crashes, and recovers", queue, this.server::crash));
			table.add(successor(other, queue));
		}
		finally {
			this.server.close();
		}
		System.out.println(String.join(System.lineSeparator(), table));
	}

	private static final String IDLE = "jobqueue.worker.enabled=false";

	private String[] settings(String name, String... more) {
		String[] own = { "spring.datasource.url=" + this.server.jdbcUrl() + "&ApplicationName=" + name,
				"spring.kafka.bootstrap-servers=" + CLUSTER.address(), "jobqueue.queues.orders.relay.to=kafka",
				"jobqueue.queues.orders.relay.topic=" + this.relayed, consume(this.relayed, "queue=copies"),
				consume(this.relayed, "group=copies"), consume(this.relayed, "mode=inbox"),
				consume(this.records, "queue=records"), consume(this.records, "group=records"),
				"handled=" + this.handled, "copied=" + this.copied, "halts=false",
				"spring.kafka.consumer.properties.session.timeout.ms=2000",
				"spring.kafka.consumer.properties.heartbeat.interval.ms=500", "jobqueue.worker.name=" + name,
				"jobqueue.worker.heartbeat-interval=500ms", "jobqueue.worker.timeout=2s",
				"jobqueue.reaper.interval=500ms", "jobqueue.queues.records.max-attempts=20" };
		return Stream.of(own, more).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static String consume(String topic, String setting) {
		return "jobqueue.kafka.consume.%s.%s".formatted(topic, setting);
	}

	private static void awaitMembers(int members) {
		patiently().ignoreExceptions().until(() -> members() == members);
	}

	private static ConditionFactory patiently() {
		return Awaitility.await().atMost(PATIENCE);
	}

	/**
	 * Return the number of members of the group that have partitions.
	 */
	private static long members() throws Exception {
		return CLUSTER.admin()
			.describeConsumerGroups(List.of("records"))
			.describedGroups()
			.get("records")
			.get()
			.members()
			.stream()
			.filter((each) -> !each.assignment().topicPartitions().isEmpty())
			.count();
	}

	/**
	 * One of two nodes is suspended in a transaction of its direct records, after the
	 * lock on the rows of their partitions, and in one of its inbox.
	 */
	private String suspended(ChildJvm one, JobQueue queue) throws SQLException {
		try (Connection connection = this.server.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(STALL);
			statement.execute("SELECT pg_advisory_lock(49)");
			return row(
					"one of two nodes is suspended in a transaction of each mode, until the other one has its partitions",
					queue, () -> {
						patiently().until(() -> count(STALLED) == 2);
						long before = assignments();
						one.freeze();
						execute(statement, "SELECT pg_advisory_unlock(49)");
						Awaitility.await().atMost(TAKEOVER).until(() -> members() == 1 && assignments() >= before + 3);
					});
		}
	}

	private static void execute(Statement statement, String text) {
		try {
			statement.execute(text);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private long assignments() {
		return count("SELECT sum(generation) FROM jobqueue_source");
	}

	/**
	 * Send a record to each partition that kills its JVM, if that is the first node.
	 */
	private void halt(ChildJvm one) {
		CLUSTER.send(IntStream.range(0, HALTS)
			.mapToObj((partition) -> with("halting",
					new ProducerRecord<byte[], byte[]>(this.records, partition, null, "{}".getBytes(UTF_8))))
			.toList());
		this.halts += HALTS;
		assertThat(one.awaitExit(PATIENCE)).isEqualTo(Node.HALTED);
	}

	private List<Integer> dead() {
		return this.sql.sql("SELECT attempts FROM jobqueue_archive WHERE state = 'DEAD' AND type = 'halting'")
			.query(Integer.class)
			.list();
	}

	/**
	 * The last node is killed while the brokers are suspended, which write what they have
	 * received when they go on.
	 */
	private String successor(ChildJvm other, JobQueue queue) {
		List<ConfigurableApplicationContext> successors = new ArrayList<>();
		try {
			return row("the only node is killed while the brokers are suspended, and another one starts", queue,
					CLUSTER::freeze, () -> {
						other.kill();
						CLUSTER.thaw();
						successors.add(KafkaApplication.run(Node.class, settings("successor")));
					});
		}
		finally {
			successors.forEach(ConfigurableApplicationContext::close);
		}
	}

	private String row(String fault, JobQueue queue, Runnable injection) {
		return row(fault, queue, () -> {
		}, injection);
	}

	/**
	 * The fault happens while records run and jobs are on their way.
	 */
	private String row(String fault, JobQueue queue, Runnable prelude, Runnable injection) {
		Counts before = counts();
		send();
		patiently().pollInterval(Duration.ofMillis(20))
			.until(() -> numbers(this.handled).size() > before.handled() + RECORDS / 6);
		prelude.run();
		enqueue(queue);
		patiently().pollInterval(Duration.ofMillis(20))
			.until(() -> count(
					"SELECT count(*) FROM jobqueue_job WHERE queue = 'orders' AND locked_by IS NOT NULL") > 0);
		injection.run();
		patiently().pollInterval(Duration.ofMillis(250)).ignoreExceptions().until(this::isComplete);
		assertRelayed();
		assertOrder(this.handled, this.sent, (number) -> number % RECORD_KEYS);
		assertOrder(this.copied, this.enqueued, (number) -> (number % 3 != 0) ? number % JOB_KEYS : -1 - number);
		return counts().row(fault, before);
	}

	private void send() {
		CLUSTER.send(IntStream.range(this.sent, this.sent + RECORDS)
			.mapToObj((number) -> with("order",
					new ProducerRecord<>(this.records, ("key-" + number % RECORD_KEYS).getBytes(UTF_8),
							"{\"number\":%s}".formatted(number).getBytes(UTF_8))))
			.toList());
		this.sent += RECORDS;
	}

	private static ProducerRecord<byte[], byte[]> with(String type, ProducerRecord<byte[], byte[]> message) {
		JobHeaders.add(message.headers(), JobHeaders.TYPE, type);
		return message;
	}

	/**
	 * Two of three jobs have one of a few keys, so that they are sent one by one.
	 */
	private void enqueue(JobQueue queue) {
		List<JobRequest> requests = new ArrayList<>();
		for (int number = this.enqueued; number < this.enqueued + JOBS; number++) {
			JobRequest order = JobRequest.of("orders", new Order(number));
			requests.add((number % 3 != 0) ? order.orderedBy(key(number)) : order);
		}
		for (JobReceipt each : queue.enqueueAll(requests)) {
			String id = each.id().toString();
			this.ids.add(id);
			if (this.enqueued % 3 != 0) {
				this.idsByKey.computeIfAbsent(key(this.enqueued), (key) -> new ArrayList<>()).add(id);
			}
			this.enqueued++;
		}
	}

	private static String key(int number) {
		return "key-" + number % JOB_KEYS;
	}

	private boolean isComplete() {
		return count("SELECT count(*) FROM jobqueue_archive WHERE queue = 'orders'") == this.enqueued
				&& committed("records") == this.sent + this.halts && committed("copies") == CLUSTER.size(this.relayed)
				&& count("SELECT count(*) FROM jobqueue_job") == 0;
	}

	private long count(String query) {
		return this.sql.sql(query).query(Long.class).single();
	}

	/**
	 * A coordinator that was killed since it was looked up would be awaited for long.
	 */
	private static long committed(String group) {
		return CLUSTER.admin()
			.listConsumerGroupOffsets(group, new ListConsumerGroupOffsetsOptions().timeoutMs(3_000))
			.partitionsToOffsetAndMetadata()
			.toCompletionStage()
			.toCompletableFuture()
			.join()
			.values()
			.stream()
			.mapToLong(OffsetAndMetadata::offset)
			.sum();
	}

	private Counts counts() {
		return new Counts(CLUSTER.size(this.relayed),
				count("SELECT count(*) FROM jobqueue_archive WHERE queue = 'orders' AND attempts > 1"),
				numbers(this.copied).size(), numbers(this.handled).size(),
				count("SELECT count(*) FROM jobqueue_archive WHERE queue = 'records'"));
	}

	private static List<Integer> numbers(Path file) {
		try {
			return Files.exists(file) ? Files.readAllLines(file).stream().map(Integer::valueOf).toList() : List.of();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A consumer that ignores the ids that it has seen reads the records of a key in
	 * their order.
	 */
	private void assertRelayed() {
		Set<String> seen = new LinkedHashSet<>();
		Map<String, List<String>> seenByKey = new HashMap<>();
		for (ConsumerRecord<byte[], byte[]> each : CLUSTER.records(this.relayed)) {
			String id = new String(each.headers().lastHeader(JobHeaders.ID).value(), UTF_8);
			if (seen.add(id) && each.key() != null) {
				seenByKey.computeIfAbsent(new String(each.key(), UTF_8), (key) -> new ArrayList<>()).add(id);
			}
		}
		assertThat(seen).containsExactlyInAnyOrderElementsOf(this.ids);
		assertThat(seenByKey).isEqualTo(this.idsByKey);
	}

	private static void assertOrder(Path file, int count, ToIntFunction<Integer> key) {
		Set<Integer> first = new LinkedHashSet<>(numbers(file));
		assertThat(first).hasSize(count);
		Map<Integer, Integer> last = new HashMap<>();
		for (Integer number : first) {
			Integer before = last.put(key.applyAsInt(number), number);
			assertThat(before).as("The one before %s of its key", number)
				.satisfiesAnyOf((value) -> assertThat(value).isNull(), (value) -> assertThat(value).isLessThan(number));
		}
	}

	/**
	 * What has happened so far.
	 */
	private record Counts(long relayed, long counted, int copied, int handled, long stored) {

		String row(String fault, Counts before) {
			return "| %s | %d | %d | %d | %d | %d | %d | %d |".formatted(fault, JOBS,
					this.relayed - before.relayed - JOBS, this.counted - before.counted,
					this.copied - before.copied - JOBS, RECORDS, this.handled - before.handled - RECORDS,
					this.stored - before.stored);
		}

	}

	/**
	 * The payload of jobs and records.
	 *
	 * @param number its number
	 */
	@JobType("order")
	record Order(int number) {
	}

	/**
	 * The payload of a record that kills its JVM.
	 */
	@JobType("halting")
	record Halting() {
	}

	/**
	 * A node, in this JVM or in one of its own, which notes in files what it has handled.
	 * One of 49 records fails once.
	 */
	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	public static class Node {

		static final int HALTED = 3;

		private final FileChannel handled;

		private final FileChannel copied;

		private final boolean halts;

		Node(@Value("${handled}") Path handled, @Value("${copied}") Path copied, @Value("${halts}") boolean halts)
				throws IOException {
			this.handled = FileChannel.open(handled, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			this.copied = FileChannel.open(copied, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
			this.halts = halts;
		}

		public static void main(String[] settings) {
			if (KafkaApplication.run(Node.class, settings).isRunning()) {
				System.out.println(KafkaApplication.STARTED);
			}
		}

		@JobHandler(queue = "records")
		void handle(Order order, JobContext job) throws IOException, InterruptedException {
			Thread.sleep(20);
			if (order.number() % 49 == 0 && job.attempt() == 1) {
				throw new IllegalStateException("failed once");
			}
			note(this.handled, order);
		}

		@JobHandler(queue = "records", maxAttempts = 2)
		void handle(Halting halting) {
			if (this.halts) {
				Runtime.getRuntime().halt(HALTED);
			}
			throw new IllegalStateException("halting");
		}

		@JobHandler(queue = "copies")
		void copy(Order order) throws IOException {
			note(this.copied, order);
		}

		private static void note(FileChannel file, Order order) throws IOException {
			file.write(UTF_8.encode(order.number() + "\n"));
		}

	}

}
