package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.store.Tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Whose jobs the reaper takes away, and what becomes of them.
 */
@Tag("pooler") // statements of the store
class ReapTests extends StoreTestBase {

	@Test
	void freesTheJobsOfASilentWorker() {
		enqueue("emails", 3);
		UUID silent = worker("silent");
		claim(silent, request("emails", 3));
		fallSilent(silent);
		assertReaped("silent", false, 3);
		assertThat(claim(worker(), request("emails", 9))).hasSize(3).allMatch((job) -> job.attempt() == 2);
	}

	@Test
	void releasesTheJobsOfAnUnknownWorker() {
		enqueue("emails", 1);
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		this.workers.checkOut(worker);
		assertThat(reap()).extracting(ReapedJobs::worker).containsExactly(worker.toString());
		assertThat(column("failures", job.id(), Integer.class)).isEqualTo(1);
		assertThat(column("last_error", job.id(), String.class)).contains("sent no heartbeat within its timeout")
			.contains(worker.toString());
	}

	@Test
	void leavesTheJobsOfALivingWorker() {
		enqueue("emails", 2);
		claim(worker(), request("emails", 2));
		assertThat(reap()).isEmpty();
		assertThat(count("jobqueue_job WHERE locked_by IS NOT NULL")).isEqualTo(2);
	}

	@Test
	void takesAHungJobFromALivingWorkerButNotItsNeighbours() {
		enqueue("emails", 3);
		UUID worker = worker("slow");
		ClaimedJob hung = claim(worker, request("emails", 3)).get(1);
		endLease(hung.id());
		assertReaped("slow", false, 1);
		assertThat(column("state", hung.id(), String.class)).isEqualTo("READY");
		assertThat(column("last_error", hung.id(), String.class)).contains("slow").contains("maximum run time");
		assertThat(count("jobqueue_job WHERE locked_by IS NOT NULL")).isEqualTo(2);
	}

	@Test
	void noticesTheNextHungJobOfTheSameClaim() {
		enqueue("emails", 2);
		List<ClaimedJob> jobs = claim(worker(), request("emails", 2));
		endLease(jobs.get(0).id());
		this.maintenance.reap(null);
		assertThat(this.sql.sql("SELECT expires_at > now() FROM jobqueue_claim").query(Boolean.class).single())
			.isTrue();
		endLease(jobs.get(1).id());
		assertThat(reap()).extracting(ReapedJobs::count).containsExactly(1L);
		assertThat(count("jobqueue_claim")).isZero();
	}

	@Test
	void respectsARenewedLease() {
		enqueue("emails", 1);
		UUID worker = worker();
		ClaimedJob job = claimOne(worker);
		endLease(job.id());
		assertThat(this.jobs.extendLeases(worker, List.of(job), Duration.ofMinutes(5))).containsExactly(job.id());
		assertThat(reap()).isEmpty();
	}

	@Test
	void theJobsOwnRunTimeBeatsThatOfTheQueue() {
		UUID job = enqueue(job("emails", 10));
		this.sql.sql("UPDATE jobqueue_job SET max_run_millis = 0").update();
		claimOne(worker());
		assertThat(reap()).isEmpty();
		passFewSeconds();
		assertThat(reap()).hasSize(1);
		assertThat(column("state", job, String.class)).isEqualTo("READY");
	}

	@Test
	void jobThatLosesItsLastAttemptIsDead() {
		UUID job = enqueue(lastAttempt("emails"));
		UUID silent = worker("silent");
		claimOne(silent);
		fallSilent(silent);
		assertReaped("silent", true, 1);
		assertThat(count("jobqueue_job")).isZero();
		assertThat(column("state", job, String.class)).isEqualTo("DEAD");
		assertThat(column("last_error", job, String.class))
			.isEqualTo("Lost: worker silent sent no heartbeat within its timeout");
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void hungJobWithoutAttemptsOfItsQueueIsDead() {
		UUID job = enqueue(job("emails", 10));
		claim(worker(), request().maxAttempts(1).maxRunTime(Duration.ZERO).build());
		passFewSeconds();
		assertThat(reap()).extracting(ReapedJobs::dead).containsExactly(true);
		assertThat(column("state", job, String.class)).isEqualTo("DEAD");
	}

	@ParameterizedTest
	@CsvSource({ ",1", "PT2H,1", "PT0S,0" })
	void keepsTheDeadAsTheirQueueSays(@Nullable Duration keepDead, long kept) {
		enqueue(lastAttempt("emails"));
		UUID worker = worker();
		claim(worker, request().maxAttempts(1).keepDead(keepDead).build());
		fallSilent(worker);
		assertThat(reap()).extracting(ReapedJobs::dead).containsExactly(true);
		assertThat(count("jobqueue_job")).isZero();
		assertThat(count("jobqueue_archive")).isEqualTo(kept);
		assertThat(count("jobqueue_archive WHERE keep_until - finished_at = interval '2 hours'"))
			.isEqualTo((keepDead != null) ? kept : 0);
	}

	@Test
	void jobThatKillsItsWorkerDoesNotEndItsNeighbours() {
		UUID killer = enqueue(lastAttempt("emails"));
		enqueue("emails", 3);
		UUID worker = worker();
		claim(worker, request("emails", 1, 3, "mail"));
		fallSilent(worker);
		this.maintenance.reap(null);
		assertThat(column("state", killer, String.class)).isEqualTo("DEAD");
		assertThat(count("jobqueue_jobs WHERE state = 'READY'")).isEqualTo(3);
	}

	@Test
	void doesNotCountExpectedFailuresTowardsTheLimit() {
		UUID job = enqueue(job("emails", "mail", 10, null, Duration.ZERO, 2));
		UUID worker = worker();
		recordOutcomes(worker, Outcomes.failedAsExpected(claimOne(worker), Duration.ZERO));
		claimOne(worker);
		fallSilent(worker);
		assertThat(reap()).extracting(ReapedJobs::dead).containsExactly(false);
		claimOne(worker("other"));
		this.sql.sql("DELETE FROM jobqueue_worker").update();
		assertThat(reap()).extracting(ReapedJobs::dead).containsExactly(true);
		assertThat(column("expected_failures", job, Integer.class)).isEqualTo(1);
	}

	@Test
	void jobWithoutALimitNeverDies() {
		UUID job = enqueue(job("emails", "mail", 10, null, Duration.ZERO, 0));
		this.sql.sql("UPDATE jobqueue_job SET attempts = 1000").update();
		UUID worker = worker();
		claimOne(worker);
		fallSilent(worker);
		assertThat(reap()).extracting(ReapedJobs::dead).containsExactly(false);
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1001);
	}

	@Test
	void keepsCreationPriorityAndRunAt() {
		UUID job = enqueue(job("emails", 10));
		this.sql.sql("UPDATE jobqueue_job SET created_at = created_at - interval '1 day'").update();
		UUID worker = worker();
		claimOne(worker);
		this.sql.sql("UPDATE jobqueue_job SET priority = 3").update();
		Map<String, Object> before = placeOf(job);
		fallSilent(worker);
		assertThat(reap()).extracting(ReapedJobs::tier).containsExactly(new Tier("emails", 3));
		assertThat(placeOf(job)).isEqualTo(before);
		assertThat(claimOne(worker("other")).priority()).isEqualTo(3);
	}

	@Test
	void keepsCreationPriorityAndRunAtOfADeadJob() {
		UUID job = enqueue(lastAttempt("emails"));
		this.sql.sql("UPDATE jobqueue_job SET created_at = created_at - interval '1 day', priority = 3").update();
		UUID worker = worker();
		claimOne(worker);
		Map<String, Object> before = placeOf(job);
		fallSilent(worker);
		reap();
		assertThat(column("state", job, String.class)).isEqualTo("DEAD");
		assertThat(placeOf(job)).isEqualTo(before);
	}

	private Map<String, Object> placeOf(UUID job) {
		return this.sql.sql("SELECT created_at, priority, run_at, seq FROM jobqueue_jobs WHERE id = ?")
			.param(job)
			.query()
			.singleRow();
	}

	@Test
	void restartUnderTheSameNameKeepsNoJobs() {
		enqueue("emails", 1);
		UUID before = worker("host:1");
		claimOne(before);
		fallSilent(before);
		worker("host:1");
		assertThat(reap()).extracting(ReapedJobs::count).containsExactly(1L);
		assertThat(this.maintenance.reap(null).removedWorkers()).containsExactly("host:1");
		assertThat(count("jobqueue_worker")).isEqualTo(1);
	}

	@Test
	void remembersASilentWorkerWhileItHoldsJobs() {
		enqueue("emails", 1);
		UUID worker = worker();
		claimOne(worker);
		fallSilent(worker);
		assertThat(this.maintenance.reap(null).removedWorkers()).isEmpty();
		assertThat(count("jobqueue_worker")).isEqualTo(1);
		assertThat(this.maintenance.reap(null).removedWorkers()).containsExactly("worker");
	}

	@Test
	void takesNoMoreThanABoundedNumberOfClaimsAtOnce() {
		enqueue("emails", 150);
		UUID worker = worker();
		for (int job = 0; job < 150; job++) {
			claimOne(worker);
		}
		fallSilent(worker);
		assertThat(reap()).extracting(ReapedJobs::count).containsExactly(100L);
		assertThat(reap()).extracting(ReapedJobs::count).containsExactly(50L);
		assertThat(reap()).isEmpty();
	}

	/**
	 * Their leases were extended, which the claim's row does not show.
	 */
	@Test
	void silentWorkersComeBeforeTheExtendedLeasesOfOthers() {
		enqueue("emails", 451);
		UUID dead = worker("dead");
		ClaimedJob lost = claimOne(dead);
		UUID alive = worker("alive");
		for (int job = 0; job < 450; job++) {
			claimOne(alive);
		}
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now() - interval '1 minute' WHERE worker_id = ?")
			.param(alive)
			.update();
		fallSilent(dead);
		assertThat(reap()).extracting(ReapedJobs::worker).containsExactly("dead");
		assertThat(column("state", lost.id(), String.class)).isEqualTo("READY");
	}

	@Test
	void goesOnBehindClaimsOfWhichNothingCanBeTaken() throws Exception {
		enqueue("emails", 150);
		UUID locked = worker("locked");
		for (int job = 0; job < 150; job++) {
			claimOne(locked);
		}
		enqueue("orders", 1);
		UUID other = worker("other");
		claim(other, request("orders", 1));
		fallSilent(locked);
		fallSilent(other);
		try (Connection blocker = this.database.dataSource().getConnection();
				Statement statement = blocker.createStatement()) {
			blocker.setAutoCommit(false);
			statement.execute("SELECT 1 FROM jobqueue_job WHERE queue = 'emails' FOR UPDATE");
			List<ReapedJobs> taken = reaper(new JobSignals()).runOnce();
			assertThat(taken).extracting(ReapedJobs::worker).containsExactly("other");
			blocker.rollback();
		}
	}

	/**
	 * The clock of the database has jumped back since it was last active.
	 */
	@Test
	void workerLastActiveInTheFutureIsReapedAfterItsTimeout() {
		enqueue("emails", 1);
		UUID dead = worker("dead");
		claimOne(dead);
		this.sql.sql("UPDATE jobqueue_worker SET last_active_at = now() + interval '1 hour'").update();
		assertThat(reap()).isEmpty();
		assertThat(this.sql.sql("SELECT last_active_at <= now() FROM jobqueue_worker").query(Boolean.class).single())
			.isTrue();
		fallSilent(dead);
		assertThat(reap()).extracting(ReapedJobs::worker).containsExactly("dead");
	}

	@Test
	void jobThatCannotBeArchivedDelaysNoOther() {
		UUID refused = enqueue(lastAttempt("emails"));
		enqueue("emails", 1);
		UUID silent = worker("silent");
		assertThat(claim(silent, request("emails", 2))).hasSize(2);
		enqueue("emails", 2);
		claimOne(silent);
		claimOne(silent);
		fallSilent(silent);
		this.sql.sql("ALTER TABLE jobqueue_archive ADD CONSTRAINT audit CHECK (state <> 'DEAD') NOT VALID").update();
		try {
			reaper(new JobSignals()).runOnce();
			assertThat(count("jobqueue_jobs WHERE state = 'READY'")).isEqualTo(3);
			assertThat(column("state", refused, String.class)).isEqualTo("RUNNING");
		}
		finally {
			this.sql.sql("ALTER TABLE jobqueue_archive DROP CONSTRAINT audit").update();
		}
		this.maintenance.reap(null);
		assertThat(column("state", refused, String.class)).isEqualTo("DEAD");
	}

	/**
	 * A cancelled job that was released, and that the archive refuses, has no claim.
	 */
	@Test
	void cancelledJobThatCannotBeArchivedDelaysNoOther() {
		enqueue("emails", 2);
		UUID alive = worker("alive");
		List<ClaimedJob> cancelled = claim(alive, request("emails", 2));
		cancelled.forEach((job) -> this.stores.operations().cancel(job.id(), Duration.ofDays(1)));
		this.jobs.release(alive, cancelled.stream().map(ClaimedJob::claim).distinct().toList());
		UUID refused = cancelled.get(0).id();
		refuse("BEFORE INSERT ON jobqueue_archive", refused);
		try (CapturedLog log = new CapturedLog()) {
			runReaper();
			assertThat(column("state", cancelled.get(1).id(), String.class)).isEqualTo("CANCELLED");
			enqueue("orders", 1);
			UUID silent = worker("silent");
			claim(silent, request("orders", 1));
			fallSilent(silent);
			assertThat(runReaper()).extracting(ReapedJobs::worker).containsExactly("silent");
			assertThat(count("jobqueue_job WHERE cancel_requested")).isOne();
			assertThat(log.levels("could not cancel job " + refused)).containsOnlyOnce("ERROR");
			assertThat(log.messages("could not end the jobs")).isEmpty();
		}
		finally {
			acceptAll();
		}
		runReaper();
		assertThat(column("state", refused, String.class)).isEqualTo("CANCELLED");
	}

	@Test
	void jobWithTheMostFailuresIsFreed() {
		UUID job = enqueue(job("emails", 10));
		this.sql.sql("UPDATE jobqueue_job SET max_attempts = 0, failures = 1000000000").update();
		UUID silent = worker("silent");
		claimOne(silent);
		fallSilent(silent);
		assertReaped("silent", false, 1);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1_000_000_000);
	}

	@Test
	void jobWithTheMostFailuresIsDead() {
		UUID job = enqueue(lastAttempt("emails"));
		this.sql.sql("UPDATE jobqueue_job SET failures = 1000000000").update();
		UUID silent = worker("silent");
		claimOne(silent);
		fallSilent(silent);
		assertReaped("silent", true, 1);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1_000_000_000);
	}

	@Test
	void jobThatCannotBeReleasedDelaysNoOther() {
		enqueue("emails", 3);
		UUID silent = worker("silent");
		UUID refused = claimOne(silent).id();
		claimOne(silent);
		claimOne(silent);
		fallSilent(silent);
		refuse("BEFORE UPDATE ON jobqueue_job", refused);
		try (CapturedLog log = new CapturedLog()) {
			runReaper();
			assertThat(count("jobqueue_jobs WHERE state = 'READY'")).isEqualTo(2);
			runReaper();
			assertThat(column("state", refused, String.class)).isEqualTo("RUNNING");
			assertThat(log.levels("The reaper could not release the jobs of claim")).containsOnlyOnce("ERROR");
		}
		finally {
			acceptAll();
		}
		assertReaped("silent", false, 1);
	}

	private void refuse(String what, UUID job) {
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
				'BEGIN IF NEW.id = ''%s'' THEN RAISE insufficient_privilege; END IF; RETURN NEW; END'
				""".formatted(job)).update();
		this.sql.sql("CREATE TRIGGER refuse %s FOR EACH ROW EXECUTE FUNCTION refuse()".formatted(what)).update();
	}

	private void acceptAll() {
		this.sql.sql("DROP FUNCTION refuse CASCADE").update();
	}

	private List<ReapedJobs> runReaper() {
		return reaper(new JobSignals()).runOnce();
	}

	@Test
	void doesNotWaitForALockOfTheTable() throws Exception {
		try (Connection blocker = this.database.dataSource().getConnection();
				Statement statement = blocker.createStatement()) {
			blocker.setAutoCommit(false);
			statement.execute("LOCK TABLE jobqueue_job IN SHARE MODE");
			assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(this::reap);
			blocker.rollback();
		}
	}

	private List<ReapedJobs> reap() {
		return this.maintenance.reap(null).taken();
	}

	private void assertReaped(String worker, boolean dead, long count) {
		assertThat(reap())
			.extracting(ReapedJobs::tier, ReapedJobs::type, ReapedJobs::worker, ReapedJobs::dead, ReapedJobs::count)
			.containsExactly(tuple(new Tier("emails", 10), "mail", worker, dead, count));
	}

}
