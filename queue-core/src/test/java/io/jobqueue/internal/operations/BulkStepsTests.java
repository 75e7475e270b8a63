package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobQuery;
import io.jobqueue.JobRequest;
import io.jobqueue.JobState;
import io.jobqueue.Priority;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.operations.BulkSteps.Position;
import io.jobqueue.internal.operations.BulkSteps.Preview;
import io.jobqueue.internal.operations.BulkSteps.StepResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * An operation on many jobs, requested step by step.
 */
@Tag("pooler") // transactions of operators
class BulkStepsTests extends NodeTestBase {

	private static final JobQuery EMAILS = JobQuery.all().queue("emails");

	private static final BulkChange RETRY = BulkChange.retry(EMAILS);

	private static final BulkChange REPLAY = BulkChange.replay(EMAILS);

	@Test
	void stepsChangeWhatThePreviewHasCounted() {
		QueueNode node = producer();
		insertDead(1_100);
		BulkSteps steps = steps(node);
		Preview preview = steps.preview(RETRY);
		assertThat(preview.jobs()).isEqualTo(1_100);
		assertThat(preview.more()).isFalse();
		assertThat(preview.partial()).isFalse();
		StepResult first = steps.step(RETRY, preview.first(), "again");
		assertThat(first.changed()).isEqualTo(500);
		assertThat(count("jobqueue_job")).isEqualTo(500);
		StepResult second = steps.step(RETRY, first.next(), "again");
		StepResult third = steps.step(RETRY, second.next(), "again");
		assertThat(third.changed()).isEqualTo(100);
		assertThat(third.next()).isNull();
		assertThat(this.sql.sql("SELECT affected, steps, reason FROM jobqueue_operator_log").query().singleRow())
			.containsEntry("affected", 1_100L)
			.containsEntry("steps", 3)
			.containsEntry("reason", "again");
	}

	private static BulkSteps steps(QueueNode node) {
		return new BulkSteps(node.operationServices());
	}

	private void insertDead(int count) {
		this.sql
			.sql("""
					INSERT INTO jobqueue_archive (id, seq, run_at, created_at, started_at, finished_at, attempts, failures, priority, state,
					                              queue, type, payload, unique_key)
					SELECT gen_random_uuid(), n, now(), now() - interval '1 hour', now() - interval '1 hour', now(), 1, 1, 10, 'DEAD',
					       'emails', 'mail', '{"text":""}', 'k' || n
					FROM generate_series(1, ?) n
					""")
			.param(count)
			.update();
	}

	@Test
	void previewCountsUpToItsCap() {
		insertDead(10_001);
		BulkSteps steps = steps(producer());
		assertThat(steps.preview(BulkChange.delete(EMAILS))).extracting(Preview::jobs, Preview::more)
			.containsExactly(10_000L, true);
		this.sql.sql("DELETE FROM jobqueue_archive WHERE seq = 7").update();
		assertThat(steps.preview(BulkChange.delete(EMAILS))).extracting(Preview::jobs, Preview::more)
			.containsExactly(10_000L, false);
		assertThat(steps.preview(BulkChange.cancel(EMAILS)).jobs()).isZero();
	}

	@Test
	void statesThatCannotBeChangedAreNotCounted() {
		insertDead(3);
		BulkSteps steps = steps(producer());
		BulkChange impossible = BulkChange.cancel(EMAILS.states(JobState.DEAD));
		Preview preview = steps.preview(impossible);
		assertThat(preview.jobs()).isZero();
		assertThat(steps.step(impossible, preview.first(), null)).isEqualTo(new StepResult(0, 0, null));
		assertThat(steps.preview(BulkChange.replay(EMAILS.states(JobState.READY, JobState.DEAD))).jobs()).isEqualTo(3);
	}

	@Test
	void jobsEnqueuedAfterThePreviewAreUnchanged() {
		QueueNode node = producer();
		JobRequest later = JobRequest.of("emails", new Mail("")).delay(Duration.ofHours(1));
		UUID before = node.queue().enqueue(later).id();
		BulkSteps steps = steps(node);
		BulkChange cancel = BulkChange.cancel(EMAILS);
		Position first = steps.preview(cancel).first();
		UUID after = node.queue().enqueue(later).id();
		assertThat(steps.step(cancel, first, null)).isEqualTo(new StepResult(1, 0, null));
		assertThat(List.of(state(before), state(after))).containsExactly("CANCELLED", "SCHEDULED");
	}

	@Test
	void stepIsNotRepeated() {
		insertDead(600);
		BulkSteps steps = steps(producer());
		Position first = steps.preview(REPLAY).first();
		StepResult result = steps.step(REPLAY, first, null);
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> steps.step(REPLAY, first, null))
			.withMessageStartingWith("Step 1 of this operation has begun before");
		assertThat(steps.step(REPLAY, result.next(), null).changed()).isEqualTo(100);
		assertThat(count("jobqueue_job")).isEqualTo(600);
	}

	/**
	 * Four browsers send each step.
	 */
	@Test
	void stepOfSeveralCallersIsDoneOnce() throws Exception {
		insertDead(1_700);
		BulkSteps steps = steps(producer());
		ExecutorService callers = Executors.newFixedThreadPool(4);
		try {
			Position position = steps.preview(REPLAY).first();
			int done = 0;
			while (position != null) {
				Position current = position;
				position = onlyResult(callers, () -> steps.step(REPLAY, current, null)).next();
				done++;
			}
			assertThat(done).isEqualTo(4);
		}
		finally {
			callers.shutdown();
		}
		assertThat(this.sql.sql("SELECT count(*), count(DISTINCT ancestor_id) FROM jobqueue_job").query().singleRow())
			.containsValues(1_700L, 1_700L);
		assertThat(this.sql.sql("SELECT affected FROM jobqueue_operator_log").query(Long.class).single())
			.isEqualTo(1_700);
	}

	private static StepResult onlyResult(ExecutorService callers, Callable<StepResult> step) throws Exception {
		StepResult only = null;
		for (Future<StepResult> future : callers.invokeAll(List.of(step, step, step, step))) {
			try {
				StepResult result = future.get();
				assertThat(only).isNull();
				only = result;
			}
			catch (ExecutionException ex) {
				assertThat(ex).hasCauseInstanceOf(JobOperationException.class);
			}
		}
		assertThat(only).isNotNull();
		return only;
	}

	@Test
	void operationOfAnotherUserIsNotContinued() {
		insertDead(600);
		Position first = steps(node(settings().user("alice"))).preview(RETRY).first();
		StepResult result = steps(node(settings().user("alice"))).step(RETRY, first, "again");
		assertThatExceptionOfType(JobOperationException.class)
			.isThrownBy(() -> steps(node(settings().user("eve"))).step(RETRY, result.next(), "again"));
		assertThatExceptionOfType(JobOperationException.class)
			.isThrownBy(() -> steps(node(settings().user("alice"))).step(RETRY, result.next(), "for fun"));
		assertThatExceptionOfType(JobOperationException.class)
			.isThrownBy(() -> steps(node(settings().user("alice"))).step(REPLAY, result.next(), "again"));
		assertThat(this.sql.sql("SELECT affected FROM jobqueue_operator_log").query(Long.class).single())
			.isEqualTo(500);
	}

	/**
	 * A worker runs the retried jobs meanwhile, which fail again, and are due later: the
	 * search finds these behind its position.
	 */
	@Test
	void retriedJobThatFailsAgainIsRetriedOnce() {
		Map<UUID, Integer> runs = new ConcurrentHashMap<>();
		QueueNode node = started((settings) -> settings.concurrency(8)
			.retryPolicy((failure) -> RetryDecision.retryIn(Duration.ofHours(1 + runs.get(failure.job().id()))))
			.handler((mail, job) -> {
				runs.merge(job.id(), 1, Integer::sum);
				throw new IllegalStateException("refused");
			}));
		int jobs = 1_200;
		node.queue()
			.enqueueAll(IntStream.range(0, jobs).mapToObj((n) -> JobRequest.of("emails", new Mail(""))).toList());
		await().until(() -> count("jobqueue_job WHERE failures = 1 AND locked_by IS NULL") == jobs);
		BulkSteps steps = steps(node);
		long changed = 0;
		for (Position at = steps.preview(RETRY).first(); at != null;) {
			StepResult result = steps.step(RETRY, at, null);
			changed += result.changed();
			int retried = (int) changed;
			await().until(() -> runs.values().stream().filter((times) -> times > 1).count() >= retried);
			at = result.next();
		}
		assertThat(changed).isEqualTo(jobs);
		assertThat(runs.values()).allMatch((times) -> times == 2);
	}

	/**
	 * The search finds them again behind its position.
	 */
	@Test
	void jobsThatAreClaimedLaterThanBeforeCountOnce() {
		QueueNode node = producer();
		node.queue()
			.enqueueAll(Collections.nCopies(1_100, JobRequest.of("emails", new Mail("")).delay(Duration.ofHours(1))));
		BulkSteps steps = steps(node);
		for (BulkChange change : List.of(BulkChange.reprioritise(EMAILS, Priority.of(90)),
				BulkChange.reschedule(EMAILS, Instant.parse("2100-01-02T03:04:05.123456789Z")))) {
			List<StepResult> results = new ArrayList<>();
			for (Position at = steps.preview(change).first(); at != null; at = results.get(results.size() - 1).next()) {
				results.add(steps.step(change, at, null));
			}
			assertThat(results.stream().mapToLong(StepResult::changed).sum()).isEqualTo(1_100);
			assertThat(results).extracting(StepResult::skipped).containsOnly(0L);
			assertThat(results).hasSizeLessThan(5);
		}
	}

	@Test
	void jobsThatAreDueAreNotMadeDue() {
		QueueNode node = producer();
		node.queue().enqueue(JobRequest.of("emails", new Mail("")));
		node.queue().enqueue(JobRequest.of("emails", new Mail("")).delay(Duration.ofHours(1)));
		BulkSteps steps = steps(node);
		BulkChange now = BulkChange.runNow(EMAILS);
		Preview preview = steps.preview(now);
		assertThat(preview.jobs()).isOne();
		assertThat(steps.step(now, preview.first(), null)).isEqualTo(new StepResult(1, 0, null));
		assertThat(this.sql.sql("SELECT operation || ' to ' || value FROM jobqueue_operator_log")
			.query(String.class)
			.list()).containsExactly("reschedule to now");
	}

	@Test
	void lockedJobsAreSkippedAndReported() {
		QueueNode node = producer();
		JobRequest later = JobRequest.of("emails", new Mail("")).delay(Duration.ofHours(1));
		node.queue().enqueueAll(List.of(later, later, later));
		BulkSteps steps = steps(node);
		BulkChange change = BulkChange.reprioritise(EMAILS, Priority.of(3));
		node.transaction().executeWithoutResult((status) -> {
			new JdbcTemplate(this.pool).execute("SELECT FROM jobqueue_job LIMIT 2 FOR UPDATE");
			assertThat(steps.step(change, steps.preview(change).first(), null)).isEqualTo(new StepResult(1, 2, null));
		});
	}

	/**
	 * Each refusal of a key takes half a second, and one job after the other would take
	 * five minutes.
	 */
	@Test
	@Tag("slow") // waits for lock time-outs, 10 s
	void stepOnLockedKeysEnds() {
		QueueNode node = producer();
		insertDead(64);
		BulkSteps steps = steps(node);
		node.transaction().executeWithoutResult((status) -> {
			for (int key = 1; key <= 64; key++) {
				assertThat(node.queue().enqueue(JobRequest.of("emails", new Mail("")).key("k" + key)).accepted())
					.isTrue();
			}
			long begun = System.nanoTime();
			assertThat(steps.step(RETRY, steps.preview(RETRY).first(), null)).isEqualTo(new StepResult(0, 64, null));
			assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
		});
	}

	@Test
	void stepThatFailsNamesItsJobsInTheLogAndNeverBeginsAgain() {
		QueueNode node = producer();
		insertDead(600);
		BulkSteps steps = steps(node);
		BulkChange delete = BulkChange.delete(EMAILS);
		StepResult first = steps.step(delete, steps.preview(delete).first(), null);
		this.sql.sql("""
				CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not this one'; END $$;
				CREATE TRIGGER refuse BEFORE DELETE ON jobqueue_archive EXECUTE FUNCTION refuse()
				""").update();
		try (CapturedLog log = new CapturedLog()) {
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> steps.step(delete, first.next(), null));
			assertThat(log.messages("delete")).singleElement().asString().contains("0 affected");
		}
		finally {
			this.sql.sql("DROP FUNCTION refuse CASCADE").update();
		}
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> steps.step(delete, first.next(), null));
		assertThat(count("jobqueue_archive")).isEqualTo(100);
	}

	/**
	 * The server ends the connection after the step has begun and before its change is
	 * committed. The operation begins again with a new preview, and has a row of its own.
	 */
	@Test
	void operationWhoseStepIsLostBeginsAgain() {
		insertDead(3);
		BulkSteps steps = steps(producer());
		BulkChange delete = BulkChange.delete(EMAILS);
		Position lost = steps.preview(delete).first();
		this.sql.sql("""
				CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql
				    AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN OLD; END $$;
				CREATE TRIGGER fail BEFORE DELETE ON jobqueue_archive FOR EACH ROW EXECUTE FUNCTION fail()
				""").update();
		try {
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> steps.step(delete, lost, "lost"));
		}
		finally {
			this.sql.sql("DROP FUNCTION fail CASCADE").update();
		}
		assertThat(count("jobqueue_archive")).isEqualTo(3);
		assertThatExceptionOfType(JobOperationException.class).isThrownBy(() -> steps.step(delete, lost, "lost"));
		assertThat(steps.step(delete, steps.preview(delete).first(), "again")).isEqualTo(new StepResult(3, 0, null));
		assertThat(
				this.sql.sql("SELECT reason, affected, steps, ended_at IS NULL FROM jobqueue_operator_log ORDER BY at")
					.query((row, number) -> row.getString(1) + row.getLong(2) + row.getInt(3) + row.getBoolean(4))
					.list())
			.containsExactly("lost01true", "again31false");
	}

	@Test
	void positionAndReasonAreChecked() {
		BulkSteps steps = steps(producer());
		Position first = steps.preview(RETRY).first();
		assertThatIllegalArgumentException().isThrownBy(() -> steps.step(RETRY, first, "x".repeat(501)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> steps.step(RETRY, new Position(first.id(), Instant.now(), 0, "'; --"), null));
		assertThat(count("jobqueue_operator_log")).isOne();
	}

}
