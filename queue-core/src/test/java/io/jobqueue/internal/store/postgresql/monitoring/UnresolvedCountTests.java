package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.store.MonitoringStore.DeadJobs;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What does not end without an operator. {@code DependencyTests} has the jobs that wait
 * for a failed one.
 */
class UnresolvedCountTests extends StoreTestBase {

	private long batches;

	@Test
	void emptyTablesHoldNothing() {
		assertThat(count()).isEqualTo(new Unresolved(List.of(), true, Map.of(), true, Duration.ZERO));
	}

	@Test
	void deadJobsAreCountedByQueueAndPriority() {
		archive(2, "emails", 5, "DEAD");
		archive(3, "emails", 15, "DEAD");
		archive(1, "letters", 15, "DEAD");
		archive(7, "letters", 20, "CANCELLED");
		assertThat(count().dead()).containsExactlyInAnyOrder(new DeadJobs(new Tier("emails", 5), 2),
				new DeadJobs(new Tier("emails", 15), 3), new DeadJobs(new Tier("letters", 15), 1));
	}

	@Test
	void countsEndAtTheirCap() {
		archive(10_010, "emails", 5, "DEAD");
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, due_at, admission, created_at, priority, queue, type, payload)
				SELECT gen_random_uuid(), 'infinity', now(), 'PREDECESSORS', now(), 10, 'letters', 'mail', '{}'
				FROM generate_series(1, 10010);
				INSERT INTO jobqueue_dependency (predecessor_id, job_id, failed, on_failure)
				SELECT gen_random_uuid(), id, true, 'WAIT' FROM jobqueue_job
				""").update();
		Unresolved counted = count();
		assertThat(counted.dead()).containsExactly(new DeadJobs(new Tier("emails", 5), 10_000));
		assertThat(counted.allDead()).isTrue();
		assertThat(counted.waiting()).containsExactly(Map.entry("letters", 10_000L));
		assertThat(counted.allWaiting()).isFalse();
	}

	@Test
	void batchIsOpenUntilItIsFinished() {
		batch("3 hours", "now()");
		batch("2 hours", "NULL");
		batch("1 hour", "NULL");
		assertThat(count().oldestBatch()).isBetween(Duration.ofHours(2), Duration.ofMinutes(121));
	}

	@Test
	void failureIsUnknownAndLoggedOnce() {
		PostgresMonitoringStore store = new PostgresMonitoringStore(
				new QueueTransaction(new DelegatingDataSource(this.dataSource) {

					@Override
					public Connection getConnection() throws SQLException {
						throw new SQLException("No connection left", "08001");
					}

				}, new Schema(null)));
		try (CapturedLog log = new CapturedLog()) {
			assertThat(store.unresolved()).isNull();
			assertThat(store.unresolved()).isNull();
			assertThat(log.text("Could not count dead jobs").lines()).hasSize(1);
		}
	}

	private Unresolved count() {
		Unresolved counted = this.stores.monitoring().unresolved();
		assertThat(counted).isNotNull();
		return counted;
	}

	private void archive(int jobs, String queue, int priority, String state) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority,
					                              state, queue, type, payload)
					SELECT gen_random_uuid(), n, now(), now(), now(), 1, 1, ?, ?, ?, 'mail', '{}' FROM generate_series(1, ?) n
					""")
			.params(priority, state, queue, jobs)
			.update();
	}

	private void batch(String age, String finishedAt) {
		this.sql.sql("""
				INSERT INTO jobqueue_batch (id, then_id, created_at, finished_at, name)
				VALUES (?, gen_random_uuid(), now() - ?::interval, %s, 'import')
				""".formatted(finishedAt)).params(new UUID(++this.batches, 0), age).update();
	}

}
