package io.jobqueue.internal.worker.completion;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.TestPool;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome.Dead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
	void refusedSuccessDelaysNoOther(String state) {
		CompletingJobs jobs = jobsRefusedIfPoisonous(state);
		jobs.submit();
		await().until(() -> count("jobqueue_archive") == JOBS - 1);
	}

	@ParameterizedTest
	@Refusals
	void othersOfItsBatchAreWrittenInTheSameTurn(String state) {
		CompletingJobs jobs = jobsRefusedIfPoisonous(state);
		jobs.takeOver(System::nanoTime, false);
		assertThat(count("jobqueue_archive")).isEqualTo(JOBS - 1);
	}

	@Test
	void outcomeWhoseDataIsRefusedIsLeftToTheReaper() {
		CompletingJobs jobs = jobsRefusedIfPoisonous("23514");
		try (CapturedLog log = new CapturedLog()) {
			UUID poison = poison();
			jobs.submit();
			await().until(() -> count("jobqueue_archive") == JOBS - 1);
			await().until(() -> log.messages("the reaper ends its claim").size() == 1);
			assertThat(log.messages("the reaper ends its claim")).singleElement()
				.asString()
				.contains(poison.toString(), "queue=emails", "type=mail", "SQLState 23514", "not today");
			assertThat(log.levels("the reaper ends its claim")).containsExactly("ERROR");
			assertThat(log.text()).doesNotContain("WITH ended AS");
			assertThat(state(poison)).isEqualTo("RUNNING");
			assertThat(count("jobqueue_claim")).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "P0001, false, 60", "42501, false, 3600", "57014, false, 3600", "42501, true, 10", "57014, true, 10",
			"53200, true, 10" })
	void outcomeThatIsRefusedIsLeftToTheReaperAfterSomeTime(String state, boolean awaited, long seconds) {
		CompletingJobs jobs = jobsRefusedIfPoisonous(state);
		AtomicLong now = new AtomicLong();
		CompletionRetries writer = jobs.takeOver(now::get, awaited);
		now.addAndGet(Duration.ofSeconds(seconds).toNanos() - 1);
		writer.retryDeferred();
		assertThat(jobs.lost()).isZero();
		assertThat(writer.hasDeferred()).isTrue();
		now.addAndGet(Duration.ofSeconds(2).toNanos());
		writer.retryDeferred();
		assertThat(jobs.lost()).isOne();
		assertThat(writer.hasDeferred()).isFalse();
	}

	@Retention(RetentionPolicy.RUNTIME)
	@ValueSource(strings = { "P0001", "42501", "58030", "XX001", "54000", "23514", "57014", "53200" })
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
	 * A right may be missing for some partitions or for some time only.
	 */
	@Test
	@Tag("slow") // waits for retries
	void missingRightLosesNoOutcome() {
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

	/**
	 * Here, the listeners throw when an outcome is lost.
	 */
	@Test
	void listenerThatThrowsForALostOutcomeEndsNoOther() {
		CompletingJobs jobs = jobsRefusedIfPoisonous("23514");
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
	void outcomesRefusedForAllJobsAreRetried() {
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

	/**
	 * A transaction has a limit from PostgreSQL 17 on.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "statement_timeout", "transaction_timeout" })
	@Tag("slow") // statements that time out
	void batchThatTakesLongerThanItMayIsHalved(String limit) {
		assumeTrue(supports(limit));
		audit("PERFORM pg_sleep(0.02);");
		PGSimpleDataSource impatient = (PGSimpleDataSource) this.database.directDataSource();
		impatient.setOptions("-c %s=500ms".formatted(limit));
		CompletingJobs jobs = closeLater(
				new CompletingJobs(this.pool, closeLater(TestPool.of(impatient, 2)), 100, POISON));
		jobs.submit();
		await().until(() -> count("jobqueue_archive") == 100);
	}

	private boolean supports(String setting) {
		return this.sql.sql("SELECT count(*) FROM pg_settings WHERE name = ?")
			.param(setting)
			.query(Integer.class)
			.single() == 1;
	}

}
