package io.jobqueue.worker.completion;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.TestPool;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome.Dead;
import io.jobqueue.store.Outcome.RetryLater;
import io.jobqueue.worker.completion.BatchWriter.DeferredCompletions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Outcomes that the database answers with an error on each try.
 */
class RefusedOutcomesTests extends NodeTestBase {

	private static final int JOBS = 51;

	private static final String POISON = "CASE WHEN n = 7 THEN '{\"text\": \"poison\"}' ELSE '{}' END";

	@AfterEach
	void dropTrigger() {
		this.sql.sql("DROP TRIGGER IF EXISTS audit ON jobqueue_archive").update();
	}

	private void audit(String body) {
		this.sql
			.sql("CREATE OR REPLACE FUNCTION audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s RETURN NEW; END $$"
				.formatted(body))
			.update();
		this.sql.sql("CREATE TRIGGER audit BEFORE INSERT ON jobqueue_archive FOR EACH ROW EXECUTE FUNCTION audit()")
			.update();
	}

	/**
	 * Return running jobs whose completion is refused under the given condition.
	 */
	private CompletingJobs jobsRefusedIf(String condition, String state) {
		audit("IF %s THEN RAISE EXCEPTION 'not today' USING ERRCODE = '%s'; END IF;".formatted(condition, state));
		return closeLater(new CompletingJobs(this.pool, JOBS, POISON));
	}

	private CompletingJobs jobsRefusedIfPoisonous(String state) {
		return jobsRefusedIf("NEW.payload LIKE '%poison%'", state);
	}

	@ParameterizedTest
	@Refusals
	void successThatIsRefusedHoldsUpNoOther(String state) {
		CompletingJobs jobs = jobsRefusedIfPoisonous(state);
		jobs.submit();
		await().until(() -> count("jobqueue_archive") == JOBS - 1);
	}

	@ParameterizedTest
	@Refusals
	void othersOfItsBatchAreWrittenInTheSameTurn(String state) {
		CompletingJobs jobs = jobsRefusedIfPoisonous(state);
		jobs.takeOver();
		assertThat(count("jobqueue_archive")).isEqualTo(JOBS - 1);
	}

	@Test
	void successThatIsRefusedEndsWithoutARowInTheArchive() {
		CompletingJobs jobs = jobsRefusedIfPoisonous("P0001");
		try (CapturedLog log = new CapturedLog()) {
			UUID poison = poison();
			jobs.submit();
			await().until(() -> count("jobqueue_job") == 0);
			assertThat(count("jobqueue_archive")).isEqualTo(JOBS - 1);
			assertThat(count("jobqueue_claim")).isZero();
			await()
				.until(() -> log.messages("SQLState P0001").stream().anyMatch((line) -> line.contains("has no row")));
			assertThat(log.messages("has no row")).singleElement()
				.asString()
				.contains(poison.toString(), "queue=emails", "type=mail", "not today");
			assertThat(log.levels("has no row")).containsExactly("ERROR");
			assertThat(log.text()).doesNotContain("WITH gone AS");
		}
	}

	@Test
	void deathThatIsRefusedIsLeftToTheReaper() {
		CompletingJobs jobs = jobsRefusedIfPoisonous("P0001");
		try (CapturedLog log = new CapturedLog()) {
			UUID poison = poison();
			jobs.submit((job) -> dead(job, "refused"));
			await().until(() -> count("jobqueue_archive") == JOBS - 1);
			await().until(() -> log.messages("the reaper ends its claim").size() == 1);
			assertThat(log.messages("the reaper ends its claim")).singleElement()
				.asString()
				.contains(poison.toString());
			assertThat(state(poison)).isEqualTo("RUNNING");
			assertThat(count("jobqueue_claim")).isEqualTo(1);
		}
	}

	@Test
	void errorThatIsRefusedIsLeftOut() {
		CompletingJobs jobs = jobsRefusedIf("NEW.last_error LIKE '%poison%'", "22P05");
		UUID poison = poison();
		jobs.submit((job) -> dead(job, job.id().equals(poison) ? "poison" : "refused"));
		awaitState(poison, "DEAD");
		assertThat(column("last_error", poison, String.class)).contains("rejected the error");
	}

	@Retention(RetentionPolicy.RUNTIME)
	@ValueSource(strings = { "P0001", "42501", "XX001", "54000", "23514", "57014", "53200" })
	private @interface Refusals {

	}

	/**
	 * What a batch has no memory for is written in halves.
	 */
	@Test
	void lackOfMemoryIsNoOutage() {
		assertThat(WriteFailure.of(new OutOfMemoryError("thrown by the test")).isOfOutcomes(false)).isTrue();
	}

	/**
	 * An outcome that was written leaves nothing behind while others wait.
	 */
	@Test
	void refusalEndsWithItsOutcome() {
		CompletingJobs jobs = closeLater(new CompletingJobs(this.pool, 3, POISON));
		List<Completion> all = jobs.jobs()
			.stream()
			.map((job) -> new Completion(job, dead(job, "refused"), null, null))
			.toList();
		DeferredCompletions deferred = new DeferredCompletions();
		deferred.addAll(all);
		DeferredCompletions.Refusal first = deferred.refused(all.get(0));
		deferred.removeAll(all.subList(0, 1));
		assertThat(deferred.refused(all.get(0))).isNotSameAs(first);
		jobs.submit();
	}

	/**
	 * Outcomes that never touch the archive prove nothing about those that do.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "42501", "P0001" })
	void outcomesOfAnotherKindDoNotProveADeathAtFault(String state) {
		CompletingJobs jobs = jobsRefusedIf("true", state);
		UUID poison = poison();
		jobs.submit((job) -> job.id().equals(poison) ? dead(job, "refused") : retried(job));
		await().until(() -> jobs.written() == JOBS - 1);
		int tries = jobs.tries();
		await().until(() -> jobs.lost() > 0 || jobs.tries() > tries + 2);
		assertThat(jobs.lost()).isZero();
		dropTrigger();
		awaitState(poison, "DEAD");
	}

	/**
	 * A right may be missing for some partitions or for some time only.
	 */
	@Test
	void missingRightIsTheFaultOfNoOutcome() {
		CompletingJobs jobs = jobsRefusedIfPoisonous("42501");
		UUID poison = poison();
		jobs.submit((job) -> dead(job, "refused"));
		await().until(() -> jobs.written() == JOBS - 1);
		int tries = jobs.tries();
		await().until(() -> jobs.lost() > 0 || jobs.tries() > tries + 2);
		assertThat(jobs.lost()).isZero();
		dropTrigger();
		awaitState(poison, "DEAD");
	}

	private static RetryLater retried(ClaimedJob job) {
		return new RetryLater(job.id(), job.claim(), Duration.ofHours(1), "tried again", false);
	}

	/**
	 * Here, the listeners throw when an outcome is lost.
	 */
	@Test
	void listenerThatThrowsForALostOutcomeEndsNoOther() {
		CompletingJobs jobs = jobsRefusedIfPoisonous("P0001");
		UUID poison = poison();
		jobs.submit((job) -> dead(job, "refused"));
		await().until(() -> jobs.lost() == 1);
		dropTrigger();
		jobs.submitAgain((job) -> job.id().equals(poison), (job) -> dead(job, "refused"));
		awaitState(poison, "DEAD");
	}

	private UUID poison() {
		return this.sql.sql("SELECT id FROM jobqueue_job WHERE payload LIKE '%poison%'").query(UUID.class).single();
	}

	private static Dead dead(ClaimedJob job, String error) {
		return new Dead(job.id(), job.claim(), error, null);
	}

	/**
	 * A right that is missing is not the fault of any outcome.
	 */
	@Test
	void whatIsRefusedForAllJobsWaitsUntilItIsMended() {
		CompletingJobs jobs = jobsRefusedIf("true", "42501");
		try (CapturedLog log = new CapturedLog()) {
			jobs.submit();
			await().until(() -> jobs.tries() > 10);
			assertThat(count("jobqueue_job")).isEqualTo(JOBS);
			dropTrigger();
			await().until(() -> count("jobqueue_archive") == JOBS);
			assertThat(log.levels("outcome")).doesNotContain("ERROR");
			assertThat(log.messages("Recording job outcomes failed; will retry")).hasSize(1);
		}
	}

	@Test
	void batchThatTakesLongerThanAStatementMayIsHalved() {
		audit("PERFORM pg_sleep(0.02);");
		PGSimpleDataSource impatient = (PGSimpleDataSource) this.database.directDataSource();
		impatient.setOptions("-c statement_timeout=2s");
		CompletingJobs jobs = closeLater(
				new CompletingJobs(this.pool, closeLater(TestPool.of(impatient, 2)), 400, POISON));
		jobs.submit();
		await().until(() -> count("jobqueue_archive") == 400);
	}

}
