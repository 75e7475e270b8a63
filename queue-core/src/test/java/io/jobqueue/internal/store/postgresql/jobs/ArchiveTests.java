package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import io.jobqueue.internal.maintenance.Purge;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What finished jobs leave in the archive, and for how long.
 */
class ArchiveTests extends StoreTestBase {

	@Test
	void successIsKeptForItsTime() {
		finish(Duration.ofHours(24));
		assertThat(hoursLeft()).isBetween(23.9, 24.0);
	}

	@Test
	void successWithoutRetentionLeavesNothing() {
		finish(Duration.ZERO);
		assertThat(count("jobqueue_job")).isZero();
		assertThat(count("jobqueue_archive")).isZero();
	}

	@Test
	void deadJobWithoutATimeIsKeptForEver() {
		dead(null);
		assertThat(hoursLeft()).isInfinite();
		outlive();
		assertThat(this.maintenance.purge(10).jobs()).isZero();
	}

	@Test
	void deadJobIsKeptForItsTime() {
		dead(Duration.ofHours(2));
		assertThat(hoursLeft()).isBetween(1.9, 2.0);
	}

	@Test
	void deadJobWithoutRetentionLeavesNothing() {
		dead(Duration.ZERO);
		assertThat(count("jobqueue_jobs")).isZero();
	}

	@Test
	void purgeRemovesWhatIsOverdueInSmallSteps() {
		enqueue("emails", 5);
		UUID worker = worker();
		for (int job = 0; job < 5; job++) {
			recordOutcomes(worker, Outcomes.completed(claimOne(worker)));
		}
		assertThat(this.maintenance.purge(2).jobs()).isZero();
		outlive();
		assertThat(this.maintenance.purge(2).jobs()).isEqualTo(2);
		assertThat(this.maintenance.purge(9).jobs()).isEqualTo(3);
		assertThat(count("jobqueue_archive")).isZero();
	}

	@Test
	void purgeGoesOnUntilNothingIsLeft() {
		this.sql.sql("""
				INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, attempts, failures,
				                              priority, state, queue, type, payload)
				SELECT gen_random_uuid(), n, now(), now(), now(), now() - interval '1 second', 1, 0,
				       10, 'SUCCEEDED', 'emails', 'mail', '{}'
				FROM generate_series(1, 2500) n
				""").update();
		assertThat(new Purge(this.maintenance).runOnce()).isEqualTo(2500);
		assertThat(count("jobqueue_archive")).isZero();
	}

	@Test
	void completionAndArchiveRowAreOneTransaction() {
		enqueue("emails", 1);
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		this.sql.sql("""
				INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, attempts, failures, priority,
				                              state, queue, type)
				SELECT id, seq, run_at, created_at, now(), 0, 0, 0, 'DEAD', queue, type FROM jobqueue_job
				""").update();
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> recordOutcomes(worker, Outcomes.completed(job)));
		assertThat(count("jobqueue_job")).isEqualTo(1);
		assertThat(count("jobqueue_claim")).isEqualTo(1);
	}

	private void finish(Duration retention) {
		enqueue("emails", 1);
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		recordOutcomes(worker, Completed.of(job, retention, null));
	}

	private void dead(@Nullable Duration retention) {
		enqueue("emails", 1);
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		recordOutcomes(worker, new Dead(job.id(), job.claim(), "refused", retention));
	}

	private void outlive() {
		this.sql.sql("UPDATE jobqueue_archive SET keep_until = keep_until - interval '1 year'").update();
	}

	private double hoursLeft() {
		return this.sql.sql(
				"SELECT coalesce(extract(epoch FROM keep_until - finished_at) / 3600, 'infinity') FROM jobqueue_archive")
			.query(Double.class)
			.single();
	}

}
