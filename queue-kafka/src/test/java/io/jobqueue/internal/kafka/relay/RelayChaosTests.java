package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.kafka.KafkaTestBase;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.ChildJvm;
import io.jobqueue.testpostgres.CrashableServer;
import io.jobqueue.testpostgres.KafkaCluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Faults while nodes relay jobs to a topic: no job is lost, and a consumer that ignores
 * the ids that it has seen reads the records of a key in their order.
 */
@Tag("slow") // kills JVMs, brokers and a database server
class RelayChaosTests extends KafkaTestBase {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int JOBS = 900;

	private static final int KEYS = 10;

	private static final KafkaCluster CLUSTER = new KafkaCluster(3);

	private final String topic = CLUSTER.topic(Map.of("min.insync.replicas", "2"));

	private long sent;

	private ConfigurableApplicationContext successor;

	private final Set<String> ids = new LinkedHashSet<>();

	private final Map<String, List<String>> idsByKey = new TreeMap<>();

	@AfterAll
	static void close() {
		CLUSTER.close();
	}

	@Test
	void jobsArriveOnceAndInTheOrderOfTheirKeys() {
		List<String> table = new ArrayList<>(List.of("| fault | jobs | sent more than once | attempts counted |"));
		try (CrashableServer server = new CrashableServer()) {
			new SchemaMigration(server.dataSource(), null, true).afterPropertiesSet();
			JdbcClient database = JdbcClient.create(server.dataSource());
			try (ChildJvm one = ChildJvm.start(KafkaApplication.class, Map.of(), settings(server, "one"));
					ChildJvm other = ChildJvm.start(KafkaApplication.class, Map.of(), settings(server, "other"));
					ConfigurableApplicationContext producer = KafkaApplication
						.run(settings(server, "producer", "jobqueue.worker.enabled=false"))) {
				one.awaitLine(KafkaApplication.STARTED, PATIENCE);
				other.awaitLine(KafkaApplication.STARTED, PATIENCE);
				JobQueue queue = producer.getBean(JobQueue.class);
				table.add(row("one of two nodes is killed", one::kill, queue, database));
				table.add(row("one of three brokers is killed", () -> CLUSTER.killLeader(this.topic), queue, database));
				table.add(row("all brokers are killed, and start again", RelayChaosTests::restart, queue, database));
				table.add(row("the database server crashes, and recovers", server::crash, queue, database));
				CLUSTER.freeze();
				table.add(row("the only node is killed while the brokers are suspended", () -> {
					other.kill();
					CLUSTER.thaw();
					this.successor = KafkaApplication.run(settings(server, "successor"));
				}, queue, database));
				this.successor.close();
			}
		}
		assertOrder();
		System.out.println(String.join(System.lineSeparator(), table));
	}

	private String[] settings(CrashableServer server, String name, String... more) {
		String[] own = { "spring.datasource.url=" + server.jdbcUrl(),
				"spring.kafka.bootstrap-servers=" + CLUSTER.address(), "jobqueue.queues.orders.relay.to=kafka",
				"jobqueue.queues.orders.relay.topic=" + this.topic, "jobqueue.worker.name=" + name,
				"jobqueue.worker.heartbeat-interval=500ms", "jobqueue.worker.timeout=2s",
				"jobqueue.reaper.interval=500ms" };
		return Stream.of(own, more).flatMap(Arrays::stream).toArray(String[]::new);
	}

	private static void restart() {
		CLUSTER.kill();
		CLUSTER.start();
	}

	/**
	 * The fault happens while jobs are on their way.
	 */
	private String row(String fault, Runnable injection, JobQueue queue, JdbcClient database) {
		long sentBefore = this.sent;
		long countedBefore = count(database, "jobqueue_archive WHERE attempts > 1");
		enqueue(queue);
		await().until(() -> count(database, "jobqueue_job WHERE locked_by IS NOT NULL") > 0);
		injection.run();
		await().atMost(PATIENCE)
			.ignoreExceptions()
			.until(() -> count(database, "jobqueue_archive WHERE state = 'SUCCEEDED'") == this.ids.size());
		this.sent = CLUSTER.size(this.topic);
		return "| %s | %d | %d | %d |".formatted(fault, JOBS, this.sent - sentBefore - JOBS,
				count(database, "jobqueue_archive WHERE attempts > 1") - countedBefore);
	}

	/**
	 * Two of three jobs have one of a few keys, so that they are sent one by one.
	 */
	private void enqueue(JobQueue queue) {
		List<JobRequest> requests = IntStream.range(0, JOBS)
			.mapToObj((number) -> (number % 3 == 0) ? order(number) : order(number).orderedBy(key(number)))
			.toList();
		List<JobReceipt> receipts = queue.enqueueAll(requests);
		for (int number = 0; number < JOBS; number++) {
			String id = receipts.get(number).id().toString();
			this.ids.add(id);
			if (number % 3 != 0) {
				this.idsByKey.computeIfAbsent(key(number), (key) -> new ArrayList<>()).add(id);
			}
		}
	}

	private static String key(int number) {
		return "key-" + number % KEYS;
	}

	private static long count(JdbcClient database, String jobs) {
		return database.sql("SELECT count(*) FROM " + jobs).query(Long.class).single();
	}

	private void assertOrder() {
		Set<String> seen = new LinkedHashSet<>();
		Map<String, List<String>> seenByKey = new HashMap<>();
		for (ConsumerRecord<byte[], byte[]> each : CLUSTER.records(this.topic)) {
			String id = header(each, "jobqueue-id");
			if (seen.add(id) && each.key() != null) {
				seenByKey.computeIfAbsent(new String(each.key(), UTF_8), (key) -> new ArrayList<>()).add(id);
			}
		}
		assertThat(seen).containsExactlyInAnyOrderElementsOf(this.ids);
		assertThat(seenByKey).isEqualTo(this.idsByKey);
	}

}
