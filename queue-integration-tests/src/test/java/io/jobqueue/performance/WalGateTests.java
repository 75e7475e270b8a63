package io.jobqueue.performance;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;

import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.Batch;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.PriorityClass;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MigratedDatabase;
import io.jobqueue.internal.context.CurrentJob;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperationStore;
import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.StatisticsStore.OldestAge;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How much a job writes to the log.
 * <p>
 * The first change of a page after a checkpoint writes the page as a whole, which says
 * more about the checkpoints than about the jobs. Here, a checkpoint comes first and new
 * files second, so that every page is younger than the checkpoint: what is written is
 * what is written between two checkpoints that lie far apart.
 * <p>
 * The log belongs to the server: what other tests write would be counted, and a database
 * that one of them drops is a checkpoint. Only an undisturbed server gives the figures,
 * which depend neither on other servers nor on the pace of the machine.
 */
@DisabledIfEnvironmentVariable(named = "QUEUE_TEST_POSTGRES_URL", matches = ".+",
		disabledReason = "The log of a server in use also has what others write")
class WalGateTests extends GateTestBase {

	private static final int JOBS = 5_000;

	private static final int PAYLOAD = 100;

	private static final int FULL_PAGES = 10;

	private static final int OPERATIONS = 1_000;

	private static final int QUEUES = 100;

	private static final int MINUTES = 10;

	private long checkpoint;

	private long begin;

	WalGateTests() {
		super(MigratedDatabase.migrate(TestPostgres.undisturbedDatabase()));
	}

	@BeforeEach
	void beginWithNewFiles() {
		this.sql.sql("CHECKPOINT").update();
		this.sql.sql(
				"TRUNCATE jobqueue_job, jobqueue_archive, jobqueue_claim, jobqueue_key, jobqueue_dedupe, jobqueue_dependency, jobqueue_statistics, jobqueue_operator_log")
			.update();
		this.figures.reset();
		this.checkpoint = this.figures.checkpoint();
		this.begin = this.figures.walPosition();
	}

	@Test
	void withoutArchive() {
		enqueue(JOBS);
		long enqueued = this.figures.walPosition();
		drain(usual(Duration.ZERO), JOBS);
		long end = end();
		Gate.note(perJob(this.begin, enqueued), "WAL bytes per job for its enqueuing");
		Gate.atMost(270, perJob(enqueued, end), "WAL bytes per job from claim to completion");
		Gate.atMost(610, perJob(this.begin, end), "WAL bytes per job from enqueuing to completion");
	}

	@Test
	void withArchive() {
		enqueue(JOBS);
		drain(usual(Duration.ofDays(1)), JOBS);
		Gate.atMost(970, perJob(this.begin, end()), "WAL bytes per job from enqueuing to the archive");
	}

	/**
	 * The payload is written twice.
	 */
	@Test
	void withArchiveAndPayloadOf100Bytes() {
		String text = "x".repeat(PAYLOAD - "{'text':''}".length());
		enqueue(JOBS, (number) -> JobRequest.of("emails", new Mail(text)));
		drain(usual(Duration.ofDays(1)), JOBS);
		Gate.atMost(1_150, perJob(this.begin, end()),
				"WAL bytes per job with a payload of 100 bytes from enqueuing to the archive");
	}

	@Test
	void withKeys() {
		enqueue(JOBS, (number) -> keyed(number));
		long enqueued = this.figures.walPosition();
		drain(usual(Duration.ZERO), JOBS);
		long end = end();
		assertThat(count("jobqueue_key")).isZero();
		Gate.note(perJob(this.begin, enqueued), "WAL bytes per job with a key for its enqueuing");
		Gate.atMost(1_070, perJob(this.begin, end), "WAL bytes per job with a key from enqueuing to completion");
	}

	@Test
	void withWindows() {
		enqueue(JOBS, (number) -> keyed(number).dedupeFor(Duration.ofDays(1)));
		drain(usual(Duration.ZERO), JOBS);
		Gate.atMost(1_430, perJob(this.begin, end()), "WAL bytes per job with a key and a window");
	}

	/**
	 * They have two ids more, and an entry in the index of families.
	 */
	@Test
	void ofHandlers() throws Exception {
		UUID outer = CurrentJob.enter(UUID.randomUUID());
		try {
			enqueue(JOBS);
		}
		finally {
			CurrentJob.restore(outer);
		}
		drain(usual(Duration.ZERO), JOBS);
		Gate.atMost(750, perJob(this.begin, end()), "WAL bytes per job of a handler from enqueuing to completion");
	}

	/**
	 * Half of the jobs wait for one of the others each.
	 */
	@Test
	void withPredecessors() {
		JobQueue queue = producer().queue();
		List<JobRequest> first = Collections.nCopies(JOBS / 2, JobRequest.of("emails", new Mail("hello")));
		List<JobRequest> second = queue.enqueueAll(first)
			.stream()
			.map((receipt) -> JobRequest.of("emails", new Mail("hello")).after(receipt.id()))
			.toList();
		queue.enqueueAll(second);
		drain(usual(Duration.ZERO), JOBS);
		Gate.atMost(2_360, 2 * perJob(this.begin, end()), "WAL bytes per job and its predecessor");
		assertThat(count("jobqueue_dependency")).isZero();
	}

	/**
	 * Members have one id more, and their ends are counted.
	 */
	@Test
	void inABatch() {
		JobRequest mail = JobRequest.of("emails", new Mail("hello"));
		Batch batch = producer().queue().batch("mails").then(mail).start();
		batch.add(Collections.nCopies(JOBS, mail));
		batch.seal();
		drain(usual(Duration.ZERO), JOBS + 1);
		Gate.atMost(640, perJob(this.begin, end()), "WAL bytes per member of a batch from enqueuing to completion");
		assertThat(count("jobqueue_batch_tally")).isZero();
	}

	@Test
	void duplicates() {
		enqueue(JOBS, (number) -> keyed(number));
		long begin = this.figures.walPosition();
		enqueue(JOBS, (number) -> keyed(number));
		Gate.atMost(280, perJob(begin, this.figures.walPosition()), "WAL bytes per duplicate that is kept out");
	}

	/**
	 * Each queue has run times of 1 s. Its rows of 10 minutes become one row, which is
	 * deleted after a week.
	 */
	@Test
	void statistics() {
		PostgresStores stores = closeLater(PostgresStores.of(this.database.dataSource(), null, null));
		StatisticsStore store = stores.statistics();
		Long[] counts = new Long[RunTimes.bucket(Duration.ofSeconds(1)) + 1];
		Arrays.fill(counts, 1_000L);
		List<QueueStatistics> minute = IntStream.range(0, QUEUES)
			.mapToObj((number) -> new QueueStatistics("queue-" + number, PriorityClass.EVENTUAL, 1_000, 10, 1, 1,
					new RunTimes(List.of(counts))))
			.toList();
		this.begin = this.figures.walPosition();
		for (int number = 0; number < MINUTES; number++) {
			store.add(UUID.randomUUID(), minute);
		}
		double added = perRow(this.begin);
		this.sql.sql("UPDATE jobqueue_statistics SET at = '2020-01-01 00:00:00Z'").update();
		long aged = this.figures.walPosition();
		store.add(UUID.randomUUID(), List.of());
		double folded = perRow(aged);
		long old = this.figures.walPosition();
		stores.maintenance().purge(QUEUES);
		double purged = perRow(old);
		assertThat(count("jobqueue_statistics")).isZero();
		assertThat(this.figures.checkpoint()).as("No checkpoint in between").isEqualTo(this.checkpoint);
		Gate.atMost(400, added, "WAL bytes per minute and queue for its statistics");
		Gate.atMost(600, added + folded + purged,
				"WAL bytes per minute and queue for its statistics until they are gone");
	}

	/**
	 * Each queue is late. The ages of the second node are those of the same minute.
	 */
	@Test
	void ages() {
		StatisticsStore store = closeLater(PostgresStores.of(this.database.dataSource(), null, null)).statistics();
		List<OldestAge> ages = IntStream.range(0, QUEUES)
			.mapToObj((number) -> new OldestAge("queue-" + number, PriorityClass.EVENTUAL, Duration.ofMinutes(1)))
			.toList();
		await().until(
				() -> this.sql.sql("SELECT extract(second FROM clock_timestamp()) < 55").query(Boolean.class).single());
		this.begin = this.figures.walPosition();
		store.addAges(ages);
		long other = this.figures.walPosition();
		store.addAges(ages);
		long end = this.figures.walPosition();
		assertThat(count("jobqueue_statistics")).isEqualTo(QUEUES);
		Gate.atMost(400, (other - this.begin) / (double) QUEUES, "WAL bytes per minute and queue for its age");
		Gate.atMost(10, (end - other) / (double) QUEUES, "WAL bytes of each further node for it");
	}

	/**
	 * Each operation changes one job, and has the name of its operator and a reason of 21
	 * characters.
	 */
	@Test
	void operations() {
		enqueue(OPERATIONS);
		List<UUID> ids = this.sql.sql("SELECT id FROM jobqueue_job").query(UUID.class).list();
		OperationStore store = closeLater(PostgresStores.of(this.pool, null, null)).operations();
		this.begin = this.figures.walPosition();
		ids.forEach((id) -> store.reprioritise(List.of(id), 3));
		long changed = this.figures.walPosition();
		ids.forEach((id) -> store
			.logging(new LoggedOperation(UUID.randomUUID(), "reprioritise", "4", id.toString(), "alice",
					"the mails can wait"))
			.reprioritise(List.of(id), 4));
		long end = this.figures.walPosition();
		assertThat(count("jobqueue_operator_log")).isEqualTo(OPERATIONS);
		assertThat(this.figures.checkpoint()).as("No checkpoint in between").isEqualTo(this.checkpoint);
		double alone = (changed - this.begin) / (double) OPERATIONS;
		Gate.note(alone, "WAL bytes of a new priority");
		Gate.atMost(540, (end - changed) / (double) OPERATIONS - alone, "WAL bytes of its row in the operator log");
	}

	private double perRow(long from) {
		return (this.figures.walPosition() - from) / (double) (QUEUES * MINUTES);
	}

	/**
	 * Drop a database, as another class does when it ends, and let the server that is
	 * shared have a checkpoint: neither shows here.
	 */
	@Test
	void whatOtherTestsDoMeanwhileIsNotCounted() {
		enqueue(JOBS);
		try (TestDatabase other = TestPostgres.freshDatabase()) {
			JdbcClient.create(other.dataSource()).sql("CHECKPOINT").update();
		}
		drain(usual(Duration.ZERO), JOBS);
		Gate.atMost(610, perJob(this.begin, end()), "WAL bytes per job while another test ends");
	}

	private static JobRequest keyed(int number) {
		return JobRequest.of("emails", new Mail("hello")).key("order-" + number);
	}

	private long end() {
		long end = this.figures.walPosition();
		assertThat(this.figures.checkpoint()).as("No checkpoint in between").isEqualTo(this.checkpoint);
		assertThat(this.figures.fullPageImages()).as("Pages that were written as a whole").isLessThan(FULL_PAGES);
		assertThat(count("jobqueue_job")).isZero();
		return end;
	}

	private static double perJob(long from, long to) {
		return (to - from) / (double) JOBS;
	}

}
