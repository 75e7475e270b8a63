package io.jobqueue.internal.store.postgresql.monitoring;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

/**
 * What the gauges read of jobs whose admission is pending.
 */
class PendingAdmissionGaugeTests extends StoreTestBase {

	/**
	 * A job that waits for others has none: it does not wait for a worker.
	 */
	@Test
	void jobWithPendingAdmissionHasAnAge() {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, queue, type, payload, ordering_key, admission)
					SELECT gen_random_uuid(), 'infinity', now() - n * interval '1 minute', now(), n, 'emails', 'mail', '{}', 'key',
					       CASE n WHEN 5 THEN 'PENDING' ELSE 'ORDER' END
					FROM generate_series(5, 6) n
					""")
			.update();
		assertThat(tiers()).satisfiesExactlyInAnyOrder(
				(pending) -> assertThat(pending.maxAge()).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6)),
				(held) -> assertThat(held.maxAge()).isNull());
	}

	/**
	 * The view has the same states.
	 */
	@Test
	void jobsWithPendingAdmissionAreReadyScheduledOrRetrying() {
		insertWithKey(5, "PENDING", "now() - interval '1 minute'", 0);
		insertWithKey(3, "PENDING", "now() + interval '1 hour'", 0);
		insertWithKey(2, "PENDING", "now() + interval '1 hour'", 1);
		insertWithKey(4, "ORDER", "now()", 0);
		insertWithKey(6, "SLOT", "now()", 1);
		insert(1, "'infinity'", 1);
		insert(7, "now()", 0);
		assertThat(counts()).isEqualTo(new TierCounts(exactly(3), exactly(12), exactly(0), exactly(3), exactly(10)));
		assertThat(this.sql.sql("SELECT state, count(*) FROM jobqueue_jobs GROUP BY state ORDER BY state")
			.query((row, number) -> tuple(row.getString(1), row.getLong(2)))
			.list()).contains(tuple("BLOCKED", 10L), tuple("READY", 12L), tuple("SCHEDULED", 3L));
	}

	@Test
	void manyJobsWithPendingAdmissionAreNotTakenForBlocked() {
		insertWithKey(12_000, "PENDING", "now() + interval '1 hour'", 0);
		insertWithKey(11_000, "SLOT", "now()", 0);
		insert(10_500, "now()", 0);
		JobCount capped = new JobCount(10_000, true);
		assertThat(counts()).isEqualTo(new TierCounts(capped, capped, exactly(0), exactly(0), capped));
	}

	@Test
	void sumBeyondTheCapIsCapped() {
		insertWithKey(6_000, "PENDING", "now() - interval '1 minute'", 0);
		insert(6_000, "now()", 0);
		assertThat(counts().ready()).isEqualTo(new JobCount(10_000, true));
	}

	private TierCounts counts() {
		assertThat(tiers()).hasSize(1);
		return tiers().get(0).counts();
	}

	/**
	 * Read by a store that has no previous scan.
	 */
	private List<TierSnapshot> tiers() {
		return new PostgresMonitoringStore(new QueueTransaction(this.dataSource, new Schema(null))).read(Set.of())
			.tiers();
	}

	private void insertWithKey(int jobs, String admission, String dueAt, int failures) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_job (id, run_at, due_at, created_at, priority, queue, type, payload, failures, limit_key,
					                          admission)
					SELECT gen_random_uuid(), 'infinity', %s, now(), 10, 'emails', 'mail', '{}', ?, 'key', ?
					FROM generate_series(1, ?)
					"""
				.formatted(dueAt))
			.params(failures, admission, jobs)
			.update();
	}

	private static JobCount exactly(long jobs) {
		return new JobCount(jobs, false);
	}

}
