package io.jobqueue.internal.kafka.consume;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobOperations;
import io.jobqueue.internal.direct.DirectWorker;
import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.kafka.consume.DirectApplication.Run;
import io.jobqueue.internal.kafka.consume.RecordCounts.Outcome;
import io.jobqueue.internal.kafka.record.JobHeaders;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Records that run before they are jobs. The tests share an application.
 */
@ExtendWith(OutputCaptureExtension.class)
@Tag("slow") // starts a broker
class DirectTests extends ConsumeTestBase {

	private static final String TOPIC = BROKER.topic(Map.of());

	private static final String GROUP = "group-" + UUID.randomUUID();

	private static final String REFUSE = """
			CREATE SEQUENCE refused;
			CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
			    'BEGIN PERFORM nextval(''refused''); RAISE check_violation; END';
			CREATE TRIGGER refuse BEFORE INSERT ON jobqueue_key FOR EACH ROW EXECUTE FUNCTION refuse()
			""";

	private static ConfigurableApplicationContext application;

	DirectTests() {
		super(TOPIC, GROUP);
	}

	@BeforeAll
	static void start() {
		application = KafkaApplication.run(DirectApplication.class,
				withServers("jobqueue.kafka.consume.%s.queue=inbox".formatted(TOPIC),
						"jobqueue.kafka.consume.%s.group=%s".formatted(TOPIC, GROUP),
						"jobqueue.queues.limited.cluster-concurrency=5", "jobqueue.queues.rated.rate.limit=5",
						"jobqueue.queues.rated.rate.period=1m", "jobqueue.queues.keyed.concurrency-per-key=5",
						"jobqueue.producer.max-payload-size=10KB", "jobqueue.queues.inbox.max-attempts=2"));
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void forget() {
		DirectApplication.RUNS.clear();
	}

	/**
	 * The application goes on.
	 */
	@AfterEach
	@Override
	protected void empty() {
		this.sql.sql("TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_key, jobqueue_dedupe").update();
	}

	@Test
	void successWritesNothing() {
		int connections = DirectApplication.CONNECTIONS.get();
		long before = count(Outcome.SUCCEEDED);
		send(orders(1_000, 20));
		await().untilAsserted(() -> assertThat(DirectApplication.RUNS).hasSize(1_000));
		await().untilAsserted(() -> assertThat(committed()).isEqualTo(BROKER.size(this.topic)));
		for (int key = 0; key < 20; key++) {
			int remainder = key;
			assertThat(numbers().stream().filter((number) -> number % 20 == remainder)).isSorted();
		}
		assertThat(count(Outcome.SUCCEEDED) - before).isEqualTo(1_000);
		assertThat(DirectApplication.CONNECTIONS.get() - connections).isLessThan(100);
		assertThat(jobs()).isZero();
	}

	/**
	 * While the queue is paused, nothing is polled. The group has an offset nevertheless.
	 */
	@Test
	void groupOfTheLatestRecordsMissesNoneWhileItsQueueIsPaused() {
		String topic = BROKER.topic(Map.of());
		String[] settings = withServers("jobqueue.kafka.consume.%s.queue=inbox".formatted(topic),
				"jobqueue.kafka.consume.%s.group=%s".formatted(topic, topic),
				"spring.kafka.consumer.auto-offset-reset=latest");
		JobOperations operations = application.getBean(JobOperations.class);
		operations.pause("inbox");
		try (ConfigurableApplicationContext paused = KafkaApplication.run(DirectApplication.class, settings)) {
			assertThat(paused.isRunning()).isTrue();
			await().until(() -> offsets(topic).size() == 3);
			send(List.of(with(new ProducerRecord<>(topic, json(1)), JobHeaders.TYPE, "order")));
		}
		finally {
			operations.resume("inbox");
		}
		try (ConfigurableApplicationContext resumed = KafkaApplication.run(DirectApplication.class, settings)) {
			assertThat(resumed.isRunning()).isTrue();
			await().untilAsserted(() -> assertThat(numbers()).containsExactly(1));
		}
	}

	@Test
	void failedRecordIsRetriedAsAJobAndOthersOfItsKeyWait() {
		String id = UUID.randomUUID().toString();
		send(List.of(with(order("a", 1, "fail once"), JobHeaders.ID, id), order("a", 2, null), order("b", 3, null)));
		await().untilAsserted(() -> assertThat(DirectApplication.RUNS).hasSize(4));
		assertThat(numbers().stream().filter((number) -> number != 3)).containsExactly(1, 1, 2);
		List<Run> runs = DirectApplication.RUNS.stream().filter((run) -> run.number() == 1).toList();
		assertThat(runs).extracting((run) -> run.job().attempt()).containsExactly(1, 2);
		assertThat(runs).extracting((run) -> run.job().id()).containsOnly(runs.get(0).job().id());
		assertThat(runs).extracting((run) -> run.job().key()).containsOnly(id);
		await().untilAsserted(() -> assertThat(succeeded()).isEqualTo(2));
		assertThat(failures()).hasSize(1);
	}

	@Test
	void recordThatDiesDoesNotStopOthers() {
		send(List.of(order("a", 1, "fail"), new ProducerRecord<>(TOPIC, null, json(9)),
				with(new ProducerRecord<>(TOPIC, null, "no order".getBytes(UTF_8)), JobHeaders.TYPE, "order"),
				with(new ProducerRecord<>(TOPIC, null, new byte[20_000]), JobHeaders.TYPE, "order"),
				with(new ProducerRecord<>(TOPIC, null, json(9)), JobHeaders.TYPE, "other"),
				new ProducerRecord<>(TOPIC, "a".getBytes(UTF_8), null), order("a", 2, null)));
		await().untilAsserted(() -> assertThat(numbers()).containsExactly(1, 1, 2));
		await().untilAsserted(
				() -> assertThat(dead()).containsExactly("order", "order", "unknown-record", "unknown-record"));
		assertThat(this.sql.sql("SELECT type || attempts FROM jobqueue_job").query(String.class).list())
			.containsExactly("other0");
		assertThat(this.sql.sql("SELECT max(octet_length(payload_bytes)) FROM jobqueue_archive")
			.query(Integer.class)
			.single()).isLessThan(10_000);
		await().untilAsserted(() -> assertThat(committed()).isEqualTo(BROKER.size(this.topic)));
	}

	private List<String> dead() {
		return this.sql.sql("SELECT type FROM jobqueue_archive WHERE state = 'DEAD' ORDER BY type")
			.query(String.class)
			.list();
	}

	/**
	 * The dead job does not stop others of its key, but does so once it lives again.
	 */
	@Test
	void recordsWaitForAJobThatLivesAgain() {
		send(List.of(order("a", 82, "fail twice and wait")));
		await().untilAsserted(() -> assertThat(dead()).hasSize(1));
		send(List.of(order("a", 83, null)));
		await().untilAsserted(() -> assertThat(numbers()).containsExactly(82, 82, 83));
		application.getBean(JobOperations.class)
			.retry(this.sql.sql("SELECT id FROM jobqueue_archive WHERE state = 'DEAD'").query(UUID.class).single());
		AtomicInteger last = new AtomicInteger(83);
		await().until(() -> {
			send(List.of(order("a", last.incrementAndGet(), null)));
			return jobs() > 1;
		});
		assertThat(numbers()).doesNotContain(last.get());
		DirectApplication.open(82);
		await().untilAsserted(() -> assertThat(numbers()).endsWith(last.get()));
	}

	/**
	 * The markers of transactions are offsets without a record.
	 */
	@Test
	void transactionsLeaveNoLag() {
		sendInTransaction(ofEachPartition(), KafkaProducer::commitTransaction);
		await().until(() -> committed() == BROKER.size(TOPIC));
		sendInTransaction(ofEachPartition(), KafkaProducer::abortTransaction);
		await().until(() -> committed() == BROKER.size(TOPIC));
		assertThat(numbers()).containsExactlyInAnyOrder(0, 1, 2);
	}

	private static List<ProducerRecord<byte[], byte[]>> ofEachPartition() {
		return IntStream.range(0, 3)
			.mapToObj((partition) -> with(new ProducerRecord<byte[], byte[]>(TOPIC, partition, null, json(partition)),
					JobHeaders.TYPE, "order"))
			.toList();
	}

	/**
	 * As by a constraint of the application. The offset waits for it, and an operator
	 * reads one line at the start and one at the end.
	 */
	@Test
	void recordThatTheDatabaseRefusesIsStoredOnceItMayBe(CapturedOutput output) {
		this.sql.sql(REFUSE).update();
		try {
			send(List.of(with(new ProducerRecord<>(TOPIC, null, json(9)), JobHeaders.TYPE, "other")));
			await().until(() -> this.sql.sql("SELECT last_value FROM refused").query(Long.class).single() > 1);
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse() CASCADE; DROP SEQUENCE refused").update();
		}
		await().untilAsserted(() -> assertThat(jobs()).isOne());
		await().untilAsserted(() -> assertThat(committed()).isEqualTo(BROKER.size(this.topic)));
		assertThat(output).containsOnlyOnce("The database refuses to store").doesNotContain("reaper");
		await().untilAsserted(() -> assertThat(output).containsOnlyOnce("is refused any more"));
	}

	@Test
	void recordsOfAPausedQueueStayInTheTopic() {
		JobOperations operations = application.getBean(JobOperations.class);
		operations.pause("inbox");
		await().until(() -> application.getBean(DirectWorker.class).isPaused("inbox"));
		send(List.of(order("a", 1, null)));
		await().during(Duration.ofMillis(300)).until(DirectApplication.RUNS::isEmpty);
		operations.resume("inbox");
		await().untilAsserted(() -> assertThat(numbers()).containsExactly(1));
		assertThat(jobs()).isZero();
	}

	/**
	 * Another node has noted that it owns the partitions. Until this one joins its group
	 * anew, it stores nothing.
	 */
	@Test
	void formerOwnerIsRefused() {
		send(orders(30, 30));
		await().untilAsserted(() -> assertThat(DirectApplication.RUNS).hasSize(30));
		this.sql.sql("UPDATE jobqueue_source SET generation = generation + 1").update();
		send(List.of(order("a", 50, "fail once"), order("a", 51, null)));
		await().untilAsserted(() -> assertThat(numbers()).endsWith(51));
		assertThat(numbers().stream().filter((number) -> number == 50)).hasSize(2);
		await().untilAsserted(() -> assertThat(committed()).isEqualTo(BROKER.size(this.topic)));
		assertThat(count(Outcome.REDELIVERED)).isPositive();
	}

	@ParameterizedTest
	@CsvSource({ "transactional, is TRANSACTIONAL", "once, is AT_MOST_ONCE", "batches, takes several jobs in one call",
			"limited, has a 'cluster-concurrency' or a 'rate'", "rated, has a 'cluster-concurrency' or a 'rate'",
			"keyed, has a 'concurrency-per-key'" })
	void queueWhoseJobsHaveToBeRowsIsRefused(String queue, String reason) {
		assertThat(application.getBean(DirectWorker.class).refusal(queue)).contains("'" + queue + "'", reason);
		assertThat(application.getBean(DirectWorker.class).refusal("inbox")).isNull();
	}

	@Test
	void refusalNamesTheInbox() {
		String[] settings = withServers(setting("queue=inbox"), setting("group=other"),
				"jobqueue.queues.inbox.rate.limit=5", "jobqueue.queues.inbox.rate.period=1m");
		assertThatException().isThrownBy(() -> KafkaApplication.run(DirectApplication.class, settings).close())
			.havingRootCause()
			.isInstanceOfSatisfying(InvalidConfigurationException.class, (ex) -> {
				assertThat(ex).hasMessageContaining("The topic '%s' is consumed directly".formatted(TOPIC));
				assertThat(ex.action()).contains(".mode: inbox'");
			});
	}

	/**
	 * It fails once, so that its job takes it as well.
	 */
	@Test
	void tombstoneRunsInAHandlerThatTakesNull() {
		long ignored = count(Outcome.TOMBSTONE);
		long enqueued = count(Outcome.ENQUEUED);
		send(List.of(with(message("a", null), JobHeaders.TYPE, "removable"),
				with(message("a", null), JobHeaders.TYPE, "order")));
		await().untilAsserted(() -> assertThat(numbers()).containsExactly(-1, -1));
		await().untilAsserted(() -> assertThat(committed()).isEqualTo(BROKER.size(this.topic)));
		assertThat(count(Outcome.TOMBSTONE) - ignored).isOne();
		assertThat(count(Outcome.ENQUEUED) - enqueued).isOne();
	}

	private static List<Integer> numbers() {
		return DirectApplication.RUNS.stream().map(Run::number).toList();
	}

	private static long count(Outcome outcome) {
		return Objects.requireNonNull(application.getBean(TopicConsumers.class).counts().get(TOPIC)).count(outcome);
	}

}
