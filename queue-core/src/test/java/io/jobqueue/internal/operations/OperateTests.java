package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.jobqueue.JobInfo;
import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobOperations;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRequest;
import io.jobqueue.Priority;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What an operator does about a single job, and what cannot be done.
 */
@Tag("pooler") // transactions of operators
class OperateTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final JobRequest MAIL = JobRequest.of("emails", new Mail("hi"));

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void reset() {
		this.runs.set(0);
	}

	@Test
	void deadJobIsRetriedWithAllItsAttempts() {
		QueueNode node = started((settings) -> failing(settings.maxAttempts(2)));
		UUID job = node.queue().enqueue(MAIL.orderedBy("a").group("g")).id();
		for (int round = 1; round <= 2; round++) {
			int expected = 2 * round;
			await().until(() -> this.runs.get() == expected && state(job).equals("DEAD"));
			JobInfo dead = node.operations().find(job).orElseThrow();
			assertThat(dead.attempt()).isEqualTo(2);
			node.operations().retry(job);
			JobInfo back = node.operations().find(job).orElseThrow();
			assertThat(back.enqueuedAt()).isEqualTo(dead.enqueuedAt());
			assertThat(back.details().position()).isEqualTo(dead.details().position());
			assertThat(back.details().group()).isEqualTo("g");
			assertThat(back.details().orderingKey()).isEqualTo("a");
		}
		await().until(() -> this.runs.get() == 6);
		awaitState(job, "DEAD");
	}

	private TestNodeSettings failing(TestNodeSettings settings) {
		return settings.handler((mail, job) -> {
			this.runs.incrementAndGet();
			throw new IllegalStateException("refused");
		});
	}

	@Test
	void jobThatBacksOffRunsNowAndHasBothBudgetsAgain() {
		QueueNode node = started(
				(settings) -> failing(settings.maxAttempts(2).retryPolicy((failure) -> RetryDecision.retryIn(HOUR))));
		UUID job = node.queue().enqueue(MAIL).id();
		await().until(() -> state(job).equals("RETRYING"));
		this.sql.sql("UPDATE jobqueue_job SET expected_failures = 3, attempts = 4").update();
		node.operations().retry(job);
		await().until(() -> this.runs.get() == 2 && state(job).equals("RETRYING"));
		assertThat(column("(attempts, failures, expected_failures)::text", job, String.class)).isEqualTo("(1,1,0)");
	}

	@Test
	void keyOfARetriedJobIsTakenAgain() {
		QueueNode node = producer();
		UUID job = cancelled(node, MAIL.key("k").dedupeFor(HOUR));
		node.operations().retry(job);
		assertThat(node.queue().enqueue(MAIL.key("k"))).isEqualTo(new JobReceipt(job, Outcome.ALREADY_WAITING));
		assertThat(this.sql.sql("SELECT dedupe_millis FROM jobqueue_job").query(Long.class).single())
			.isEqualTo(HOUR.toMillis());
	}

	@Test
	void jobWhoseKeyIsTakenStaysWhereItIs() {
		QueueNode node = producer();
		UUID job = cancelled(node, MAIL.key("k"));
		UUID holder = node.queue().enqueue(MAIL.key("k")).id();
		assertRefused(job, Reason.KEY_TAKEN, (operations) -> operations.retry(job), node)
			.withMessageContaining(holder.toString());
		assertThat(state(job)).isEqualTo("CANCELLED");
		node.operations().delete(holder);
		node.operations().retry(job);
		assertThat(state(job)).isEqualTo("READY");
	}

	@Test
	void keyIsTakenAsWellWhileItsWindowLasts() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> this.runs.incrementAndGet()));
		UUID job = cancelled(node, MAIL.key("k").delay(HOUR));
		UUID done = node.queue().enqueue(MAIL.key("k").dedupeFor(HOUR)).id();
		awaitState(done, "SUCCEEDED");
		assertRefused(job, Reason.KEY_TAKEN, (operations) -> operations.retry(job), node)
			.withMessageContaining(done.toString());
	}

	@Test
	void waitingJobRunsAtItsNewTimeWhichWakesAWorkerUp() {
		QueueNode node = started(
				(settings) -> settings.pollInterval(HOUR).handler((mail, job) -> this.runs.incrementAndGet()));
		awaitState(node.queue().enqueue(MAIL).id(), "SUCCEEDED");
		UUID job = node.queue().enqueue(MAIL.delay(HOUR)).id();
		Instant later = Instant.now().plus(HOUR).truncatedTo(ChronoUnit.MICROS);
		node.operations().reschedule(job, later);
		assertThat(node.operations().find(job).orElseThrow().runAt()).isEqualTo(later);
		node.operations().reschedule(job, Instant.EPOCH);
		awaitState(job, "SUCCEEDED");
		assertThat(node.operations().find(job).orElseThrow().runAt()).isAfter(Instant.EPOCH);
	}

	@Test
	void betterPriorityOvertakes() {
		QueueNode node = producer();
		UUID first = node.queue().enqueue(MAIL).id();
		UUID second = node.queue().enqueue(MAIL).id();
		node.operations().reprioritise(second, Priority.INTERACTIVE);
		node.operations().reprioritise(second, Priority.INTERACTIVE);
		started((settings) -> settings.concurrency(1).handler((mail, job) -> this.runs.incrementAndGet()));
		awaitState(first, "SUCCEEDED");
		awaitState(second, "SUCCEEDED");
		assertThat(this.sql.sql("SELECT id FROM jobqueue_archive ORDER BY finished_at").query(UUID.class).list())
			.containsExactly(second, first);
	}

	@Test
	void priorityOfARunningJobCountsForItsNextAttempt() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started(
				(settings) -> settings.retryPolicy((failure) -> RetryDecision.retryIn(HOUR)).handler((mail, job) -> {
					release.await();
					throw new IllegalStateException("refused");
				}));
		UUID job = node.queue().enqueue(MAIL).id();
		awaitState(job, "RUNNING");
		node.operations().reprioritise(job, Priority.of(7));
		release.countDown();
		awaitState(job, "RETRYING");
		assertThat(column("priority", job, Integer.class)).isEqualTo(7);
	}

	@Test
	void deletedJobLeavesNoRow() {
		QueueNode node = producer();
		UUID live = node.queue().enqueue(MAIL.key("k")).id();
		UUID archived = cancelled(node, MAIL);
		node.operations().delete(live);
		node.operations().delete(archived);
		assertThat(count("jobqueue_jobs") + count("jobqueue_key")).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void jobThatIsNotThereIsUnknown(Operation operation) {
		UUID job = UUID.randomUUID();
		assertRefused(job, Reason.UNKNOWN, (operations) -> operation.on(operations, job), producer())
			.withMessageContaining("is no longer in the archive");
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "DELETE", "RESCHEDULE", "REPLAY" })
	void runningJobIsNotChanged(Operation operation) {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		UUID job = node.queue().enqueue(MAIL).id();
		awaitState(job, "RUNNING");
		assertRefused(job, (operation == Operation.REPLAY) ? Reason.UNFINISHED : Reason.RUNNING,
				(operations) -> operation.on(operations, job), node);
		release.countDown();
		awaitState(job, "SUCCEEDED");
	}

	@ParameterizedTest
	@EnumSource(names = { "RETRY", "RESCHEDULE", "REPRIORITISE" })
	void succeededJobIsNotChanged(Operation operation) {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> this.runs.incrementAndGet()));
		UUID job = node.queue().enqueue(MAIL).id();
		awaitState(job, "SUCCEEDED");
		assertRefused(job, Reason.FINISHED, (operations) -> operation.on(operations, job), node);
	}

	@Test
	void jobThatHasNotBegunIsNotRetried() {
		QueueNode node = producer();
		UUID job = node.queue().enqueue(MAIL.delay(HOUR)).id();
		assertRefused(job, Reason.UNFINISHED, (operations) -> operations.retry(job), node)
			.withMessageContaining("reschedule it");
	}

	private UUID cancelled(QueueNode node, JobRequest request) {
		UUID job = node.queue().enqueue(request.delay(HOUR)).id();
		node.operations().cancel(job);
		return job;
	}

	private static ThrowableAssertAlternative<JobOperationException> assertRefused(UUID job, Reason reason,
			Consumer<JobOperations> operation, QueueNode node) {
		return assertThatExceptionOfType(JobOperationException.class)
			.isThrownBy(() -> operation.accept(node.operations()))
			.satisfies((ex) -> assertThat(List.of(ex.job(), ex.reason())).isEqualTo(List.of(job, reason)))
			.withMessageContaining(job.toString());
	}

	/**
	 * What can be refused.
	 */
	enum Operation {

		RETRY, DELETE, RESCHEDULE, REPRIORITISE, REPLAY;

		void on(JobOperations operations, UUID job) {
			switch (this) {
				case RETRY -> operations.retry(job);
				case DELETE -> operations.delete(job);
				case RESCHEDULE -> operations.reschedule(job, Instant.now().plus(Duration.ofHours(1)));
				case REPRIORITISE -> operations.reprioritise(job, Priority.of(3));
				case REPLAY -> operations.replay(job);
			}
		}

	}

}
