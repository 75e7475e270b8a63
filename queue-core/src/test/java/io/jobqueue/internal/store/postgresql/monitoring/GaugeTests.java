package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.WorkerBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.PostgresStores;
import io.jobqueue.internal.store.postgresql.jobs.Outcomes;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * What the gauges read.
 */
class GaugeTests extends StoreTestBase {

	@Test
	void emptyTableHasNoTiers() {
		assertThat(read()).isEmpty();
	}

	@Test
	void eachQueueAndPriorityIsATier() {
		enqueue(job("emails", 5));
		enqueue(job("emails", 15));
		enqueue(job("invoices", 5));
		enqueue(job("invoices", 5));
		assertThat(read()).extracting(TierSnapshot::queue, TierSnapshot::priority, GaugeTests::ready)
			.containsExactlyInAnyOrder(tuple("emails", 5, 1L), tuple("emails", 15, 1L), tuple("invoices", 5, 2L));
	}

	@Test
	void failureAndRecoveryOfCountsAreLoggedOnce() {
		enqueue(job("emails", 5));
		AtomicBoolean broken = new AtomicBoolean(true);
		AtomicInteger connections = new AtomicInteger();
		MonitoringStore gauges = new PostgresMonitoringStore(
				new QueueTransaction(new DelegatingDataSource(this.dataSource) {

					@Override
					public Connection getConnection() throws SQLException {
						if (connections.incrementAndGet() % 2 == 0 && broken.get()) {
							throw new SQLException("No connection left", "08001");
						}
						return super.getConnection();
					}

				}, new Schema(null)));
		try (CapturedLog log = new CapturedLog()) {
			assertThat(gauges.read(Set.of()).tiers()).singleElement().extracting(TierSnapshot::counts).isNull();
			gauges.read(Set.of());
			broken.set(false);
			gauges.read(Set.of());
			assertThat(log.text("ounting").lines().filter((line) -> !line.isEmpty())).satisfiesExactly(
					(line) -> assertThat(line).endsWith("counting works again: SQLState 08001: No connection left"),
					(line) -> assertThat(line).endsWith("Counting jobs works again after 2 failures"));
		}
	}

	@Test
	void countsByState() {
		UUID worker = worker();
		enqueue("emails", 6);
		List<ClaimedJob> jobs = claim(worker, request("emails", 3));
		this.jobs.recordOutcomes(worker, List.of(Outcomes.retried(jobs.get(0), Duration.ofMinutes(5))), List.of(),
				CompletionEffects.NONE);
		enqueue(job("emails", "mail", 10, Instant.now().plusSeconds(999), Duration.ZERO, null));
		insert(4, "'infinity'", 0);
		insert(1, "'infinity'", 1);
		assertThat(readOnly().counts())
			.isEqualTo(new TierCounts(exactly(1), exactly(3), exactly(2), exactly(2), exactly(4)));
	}

	@Test
	void retriesThatAreHeldBackHaveAnAgeOnceTheyAreDue() {
		insert(1, "'infinity'", 1);
		this.sql.sql("UPDATE jobqueue_job SET due_at = now() + interval '90 seconds'").update();
		assertThat(readOnly().maxAge()).isNull();
		this.sql.sql("UPDATE jobqueue_job SET due_at = now() - interval '90 seconds'").update();
		assertThat(readOnly().maxAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
	}

	@Test
	void manyRetriesThatAreHeldBackAreNotTakenForBlocked() {
		insert(5, "'infinity'", 0);
		insert(7, "now() + interval '1 hour'", 0);
		insert(10_001, "'infinity'", 2);
		TierCounts counts = readOnly().counts();
		assertThat(counts.retrying()).isEqualTo(new JobCount(10_000, true));
		assertThat(counts.scheduled()).isEqualTo(exactly(7));
		assertThat(counts.blocked().jobs()).isLessThan(100);
	}

	@Test
	void jobsThatFailedAsExpectedAreRetryingAndHaveNoFailures() {
		UUID worker = worker();
		enqueue("emails", 1);
		recordOutcomes(worker, Outcomes.failedAsExpected(claimOne(worker), Duration.ofMinutes(5)));
		assertThat(readOnly().counts())
			.isEqualTo(new TierCounts(exactly(0), exactly(0), exactly(0), exactly(1), exactly(0)));
		assertThat(readOnly().maxFailures()).isZero();
	}

	@Test
	void readsTheHighestNumberOfReleases() {
		enqueue("emails", 3);
		assertThat(readOnly().maxReleases()).isZero();
		this.sql.sql("UPDATE jobqueue_job SET releases = seq").update();
		assertThat(readOnly().maxReleases())
			.isEqualTo(this.sql.sql("SELECT max(seq) FROM jobqueue_job").query(Integer.class).single());
	}

	@Test
	void readsTheHighestNumberOfFailures() {
		enqueue("emails", 3);
		assertThat(readOnly().maxFailures()).isZero();
		this.sql.sql("UPDATE jobqueue_job SET failures = seq").update();
		assertThat(readOnly().maxFailures())
			.isEqualTo(this.sql.sql("SELECT max(seq) FROM jobqueue_job").query(Integer.class).single());
	}

	@Test
	void readsTheAgeOfTheOldestThatIsDueAndWaits() {
		enqueue("emails", 2);
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '90 seconds'").update();
		assertThat(readOnly().maxAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
		insert(1, "'infinity'", 1);
		this.sql.sql("UPDATE jobqueue_job SET due_at = now() - interval '5 minutes' WHERE run_at = 'infinity'")
			.update();
		assertThat(readOnly().maxAge()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
		this.sql.sql("UPDATE jobqueue_job SET failures = 0, admission = 'PENDING' WHERE run_at = 'infinity'").update();
		assertThat(readOnly().maxAge()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
	}

	@Test
	void jobsThatRunOrAreNotDueHaveNoAge() {
		enqueue("emails", 1);
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '90 seconds'").update();
		claimOne(worker());
		enqueue(job("emails", "mail", 10, null, Duration.ofHours(1), null));
		assertThat(readOnly().maxAge()).isNull();
	}

	/**
	 * A scrape waits for it. Here, the lock would be released after 20 seconds.
	 */
	@Test
	@Tag("slow") // waits for locks in vain
	void readingIsGivenUpWhereTheDatabaseKeepsItWaiting() {
		new TransactionTemplate(new JdbcTransactionManager(this.dataSource)).executeWithoutResult((status) -> {
			new JdbcTemplate(this.dataSource).execute(
					"SET LOCAL idle_in_transaction_session_timeout = '20s'; LOCK TABLE jobqueue_job, jobqueue_pause");
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this::read);
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this.stores.pauses()::pauses);
		});
	}

	@Test
	void whatIsUrgentIsKnownWhereCountingFails() {
		enqueue("emails", 1);
		this.sql.sql("ALTER TABLE jobqueue_claim RENAME TO hidden").update();
		try {
			assertThat(readOnly()).satisfies((tier) -> assertThat(tier.maxAge()).isNotNull(),
					(tier) -> assertThat(tier.counts()).isNull());
		}
		finally {
			this.sql.sql("ALTER TABLE hidden RENAME TO jobqueue_claim").update();
		}
	}

	@Test
	void servedQueuesAreReadWithTheSameTimeLimit() {
		this.sql.sql("CREATE SCHEMA limits").update();
		this.sql.sql("""
				CREATE VIEW limits.jobqueue_worker AS
				SELECT current_setting('statement_timeout') AS queues, now() AS last_active_at, 60000 AS timeout_millis
				""").update();
		try (PostgresStores limits = PostgresStores.of(this.dataSource, this.dataSource, "limits")) {
			assertThat(limits.monitoring().servedQueues()).containsExactly("5s");
		}
	}

	@Test
	void countsUpToTheCapAreExact() {
		insert(9_999, "now()", 0);
		insert(9_998, "now() + interval '1 hour'", 0);
		insert(9_997, "now() + interval '1 hour'", 1);
		insert(9_996, "'infinity'", 0);
		UUID worker = worker();
		this.jobs.claim(worker, request("emails", 500));
		assertThat(readOnly().counts())
			.isEqualTo(new TierCounts(exactly(9_998), exactly(9_499), exactly(500), exactly(9_997), exactly(9_996)));
	}

	@Test
	void countsBeyondTheCapAreCapped() {
		insert(10_001, "now()", 0);
		insert(10_002, "now() + interval '1 hour'", 0);
		insert(10_004, "'infinity'", 0);
		JobCount capped = new JobCount(10_000, true);
		assertThat(readOnly().counts()).isEqualTo(new TierCounts(capped, capped, exactly(0), exactly(0), capped));
	}

	/**
	 * Scheduled jobs cannot be distinguished from so many retrying ones.
	 */
	@Test
	void retryingJobsBeyondTheCapAreCapped() {
		insert(10_003, "now() + interval '1 hour'", 1);
		insert(5, "now() + interval '1 hour'", 0);
		TierCounts counts = readOnly().counts();
		assertThat(counts.retrying()).isEqualTo(new JobCount(10_000, true));
		assertThat(counts.scheduled()).isEqualTo(new JobCount(0, true));
	}

	@Test
	void onlyWhatIsBeyondTheCapIsCapped() {
		insert(15_000, "now()", 0);
		insert(5, "now() + interval '1 hour'", 0);
		enqueue(job("invoices", 10));
		assertThat(read()).extracting(TierSnapshot::counts)
			.extracting((counts) -> counts.ready().capped(), TierCounts::scheduled)
			.containsExactlyInAnyOrder(tuple(true, exactly(5)), tuple(false, exactly(0)));
	}

	@Test
	void sizeOfAQueueBeyondTheCapIsEstimated() {
		insert(15_000, "now()", 0);
		enqueue(job("invoices", 10));
		this.sql.sql("ANALYZE jobqueue_job").update();
		assertThat(this.stores.monitoring().estimatedSizes().get("emails")).isBetween(14_990L, 15_010L);
	}

	@Test
	void runningJobsBeyondTheCapAreCapped() {
		insert(12_000, "now()", 0);
		UUID worker = worker();
		for (int claim = 0; claim < 12; claim++) {
			this.jobs.claim(worker, request("emails", 1_000));
		}
		assertThat(readOnly().counts().running()).isEqualTo(new JobCount(10_000, true));
	}

	@Test
	void namesTheQueuesThatLivingWorkersServe() {
		worker();
		UUID silent = UUID.randomUUID();
		this.workers.checkIn(new WorkerBuilder(silent).queues("faxes").build(), false);
		fallSilent(silent);
		assertThat(this.stores.monitoring().servedQueues()).containsExactly("emails");
	}

	@Test
	void readsNamedQueuesAmongVeryManyOthers() {
		this.jobs
			.enqueue(IntStream.range(0, PostgresMonitoringStore.TIER_CAP).mapToObj((n) -> job("a" + n, 10)).toList());
		this.jobs.enqueue(List.of(job("emails", 10), job("emails", 20)));
		GaugeSnapshot reading = this.stores.monitoring().read(Set.of("emails"));
		assertThat(reading.complete()).isFalse();
		assertThat(reading.tiers()).filteredOn((tier) -> tier.queue().equals("emails"))
			.extracting(TierSnapshot::priority)
			.containsExactlyInAnyOrder(10, 20);
	}

	private static JobCount exactly(long jobs) {
		return new JobCount(jobs, false);
	}

	private static long ready(TierSnapshot tier) {
		return tier.counts().ready().jobs();
	}

	private List<TierSnapshot> read() {
		return this.stores.monitoring().read(Set.of()).tiers();
	}

	private TierSnapshot readOnly() {
		assertThat(read()).hasSize(1);
		return read().get(0);
	}

}
