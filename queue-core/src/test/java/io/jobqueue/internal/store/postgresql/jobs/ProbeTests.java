package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;

import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which retries are released, and which are held back.
 */
class ProbeTests extends ProbeTestBase {

	private static final String WAIT_AT_COMMIT = """
			CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = '30s' AS
			'BEGIN PERFORM pg_advisory_xact_lock_shared(42); RETURN NULL; END';

			CREATE CONSTRAINT TRIGGER wait_at_commit AFTER UPDATE ON jobqueue_job DEFERRABLE INITIALLY DEFERRED
			    FOR EACH ROW EXECUTE FUNCTION wait_at_commit()
			""";

	@Test
	void firstThatFailsIsReleasedAndTheOthersAreHeldBack() {
		List<ClaimedJob> jobs = claimNew(3);
		fail(jobs.get(0), Duration.ofSeconds(6));
		fail(jobs.get(1), Duration.ofSeconds(6));
		fail(jobs.get(2), Duration.ofSeconds(6));
		assertOut(jobs.get(0).id());
		assertThat(count(HELD)).isEqualTo(2);
		assertThat(this.sql.sql("SELECT DISTINCT state FROM jobqueue_jobs").query(String.class).list())
			.containsExactly("RETRYING");
		assertThat(column("extract(epoch FROM run_at - now())", jobs.get(1).id(), Double.class)).isBetween(0.0, 6.0);
	}

	@Test
	void heldBackJobsAreNotClaimedThoughTheyAreDue() {
		failAll(claimNew(5), Duration.ZERO);
		assertThat(claim(this.worker, request("emails", 9))).hasSize(1);
	}

	@Test
	void firstAttemptsAreClaimed() {
		failAll(claimNew(5), Duration.ofHours(1));
		enqueue("emails", 3);
		assertThat(claim(this.worker, request("emails", 9))).hasSize(3).allMatch((job) -> job.attempt() == 1);
	}

	@Test
	void queuesAreIndependent() {
		failAll(claimNew(2), Duration.ZERO);
		enqueue("invoices", 2);
		failAll(claim(this.worker, request("invoices", 2)), Duration.ZERO);
		assertThat(claim(this.worker, request("emails", 9))).hasSize(1);
		assertThat(claim(this.worker, request("invoices", 9))).hasSize(1);
	}

	@Test
	void nextProbeWaitsForTheDelayOfTheOneThatFailed() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		Collection<JobsAvailable> available = fail(probe, Duration.ofSeconds(20)).available();
		assertThat(count(OUT)).isEqualTo(1);
		UUID next = out().get(0);
		assertThat(next).isNotEqualTo(probe.id());
		assertThat(column("extract(epoch FROM run_at - now())", next, Double.class)).isBetween(15.0, 20.0);
		assertThat(available).anyMatch((each) -> each.position().seq() == column("seq", next, Long.class));
	}

	@Test
	void longDelayOfAProbeDelaysOthersByAMinuteAtMost() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		settleProbed(Outcomes.retried(probe, Duration.ofDays(4)), probe(probe, false, MINUTE));
		assertThat(out()).hasSize(1).doesNotContain(probe.id());
		assertThat(column("extract(epoch FROM run_at - now())", out().get(0), Double.class)).isBetween(55.0, 60.0);
		assertThat(column("extract(epoch FROM run_at - now())", probe.id(), Double.class)).isGreaterThan(300_000);
	}

	@Test
	void jobThatIsDueMuchLaterDelaysNoOther() {
		ClaimedJob late = claimNew(1).get(0);
		settleProbed(Outcomes.retried(late, Duration.ofDays(4)), probe(late, false, MINUTE));
		assertOut(late.id());
		ClaimedJob soon = claimNew(1).get(0);
		fail(soon, Duration.ofSeconds(6));
		assertOut(soon.id());
	}

	@Test
	void successesReleaseOtherRetries() {
		failAll(claimNew(8), Duration.ZERO);
		succeed(claim(this.worker, request("emails", 9)));
		assertThat(count(OUT)).isEqualTo(2);
		succeed(claim(this.worker, request("emails", 9)));
		assertThat(count(OUT)).isEqualTo(4);
		succeed(claim(this.worker, request("emails", 9)));
		assertThat(count(OUT)).isEqualTo(1);
		succeed(claim(this.worker, request("emails", 9)));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void failureStopsReleasedRetries() {
		failAll(claimNew(20), Duration.ZERO);
		succeed(claim(this.worker, request("emails", 9)));
		succeed(claim(this.worker, request("emails", 9)));
		ClaimedJob one = claimOne(this.worker);
		assertThat(count(OUT)).isEqualTo(4);
		fail(one, Duration.ZERO);
		assertThat(count(OUT)).isEqualTo(1);
	}

	@Test
	void noRetryIsReleasedWhileAnotherRuns() {
		failAll(claimNew(20), Duration.ZERO);
		succeed(claim(this.worker, request("emails", 9)));
		List<ClaimedJob> both = claim(this.worker, request("emails", 2));
		fail(both.get(0), Duration.ZERO);
		assertOut(both.get(1).id());
		fail(both.get(1), Duration.ZERO);
		assertThat(out()).hasSize(1).doesNotContain(both.get(1).id());
	}

	@Test
	void deathOfTheProbeIsAFailure() {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		settleProbed(Outcomes.dead(probe), probe(probe, false, MINUTE));
		assertThat(count(OUT)).isEqualTo(1);
		assertThat(claim(this.worker, request("emails", 9))).isEmpty();
	}

	@Test
	void successThatCameTooLateReleasesNoRetry() {
		failAll(claimNew(5), Duration.ZERO);
		ClaimedJob lost = claimOne(this.worker);
		fallSilent(this.worker);
		this.maintenance.reap(null);
		ClaimedJob taken = claimOne(worker("other"));
		assertThat(taken.id()).isEqualTo(lost.id());
		assertThat(settleProbed(Outcomes.completed(lost), probe(lost, true, Duration.ZERO)).jobs()).isEmpty();
		assertOut(taken.id());
		settleProbed(Outcomes.retried(lost, Duration.ZERO), probe(lost, false, Duration.ZERO));
		assertOut(taken.id());
	}

	/**
	 * Each has written its failure and is about to commit, or waits for the other. Where
	 * each saw only its own failure, each would let one out.
	 */
	@Test
	void simultaneousFailuresReleaseOneRetry() throws Exception {
		List<ClaimedJob> jobs = List.of(claimNew(1).get(0), claimNew(1).get(0));
		this.sql.sql(WAIT_AT_COMMIT).update();
		ExecutorService executor = Executors.newFixedThreadPool(jobs.size());
		try (Connection blocker = this.database.directDataSource().getConnection();
				Statement statement = blocker.createStatement()) {
			statement.execute("SELECT pg_advisory_lock(42)");
			List<Future<CompletionResult>> failures = jobs.stream()
				.map((job) -> executor.submit(() -> failPatiently(job)))
				.toList();
			Awaitility.await()
				.until(() -> count("pg_locks WHERE locktype = 'advisory' AND NOT granted") == jobs.size());
			statement.execute("SELECT pg_advisory_unlock(42)");
			for (Future<CompletionResult> failure : failures) {
				assertThat(failure.get().jobs()).hasSize(1);
			}
		}
		finally {
			executor.shutdownNow();
			this.sql.sql("DROP FUNCTION wait_at_commit CASCADE").update();
		}
		assertThat(count(OUT)).isEqualTo(1);
	}

	/**
	 * As a worker does.
	 */
	private CompletionResult failPatiently(ClaimedJob job) {
		while (true) {
			try {
				return fail(job, Duration.ZERO);
			}
			catch (CannotAcquireLockException ex) {
				assertThat(ex).isNotNull();
			}
		}
	}

	@Test
	void lockedRetryDelaysNoOther() throws Exception {
		failAll(claimNew(3), Duration.ZERO);
		ClaimedJob probe = claimOne(this.worker);
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("SELECT 1 FROM %s LIMIT 1 FOR UPDATE".formatted(HELD));
			assertThat(succeed(List.of(probe)).jobs()).hasSize(1);
			connection.rollback();
		}
		assertThat(count(OUT)).isEqualTo(1);
	}

}
