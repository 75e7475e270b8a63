package io.jobqueue.internal.worker;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobFailure;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobTimeoutException;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.MailHandler;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Expected exceptions have a budget and delays of their own, and leave the other one
 * alone.
 */
class ExpectedFailureTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Backoff AT_ONCE = Backoff.fixed(Duration.ZERO);

	private final AtomicInteger runs = new AtomicInteger();

	@BeforeEach
	void reset() {
		this.runs.set(0);
	}

	@Test
	void expectedFailuresDoNotCountAndAreSilent() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started(
					(node) -> node.handler(expectedUntil(6)).maxAttempts(2).expected(IOException.class, 0, AT_ONCE)));
			awaitState(job, "SUCCEEDED");
			assertBudgets(job, 6, 0, 5);
			assertThat(log.messages(job.toString())).isEmpty();
		}
	}

	@Test
	void subclassesAndCausesAreExpected() {
		MailHandler.Behaviour behaviour = (mail, job) -> {
			if (this.runs.incrementAndGet() == 1) {
				throw new FileNotFoundException("not yet");
			}
			throw new IllegalStateException(new IOException("not yet"));
		};
		UUID job = enqueue(started((node) -> node.handler(behaviour)
			.expected(IOException.class, 0, Backoff.list(List.of(Duration.ZERO, HOUR)))));
		await().until(() -> column("expected_failures", job, Integer.class) == 2);
		assertBudgets(job, 2, 0, 2);
	}

	@Test
	void otherFailuresCountAlthoughExpectedOnesWereMore() {
		MailHandler.Behaviour behaviour = (mail, job) -> {
			if (job.attempt() <= 4) {
				throw new IOException("expected");
			}
			throw new IllegalStateException("unexpected");
		};
		UUID job = enqueue(
				started((node) -> node.handler(behaviour).maxAttempts(3).expected(IOException.class, 0, AT_ONCE)));
		awaitState(job, "DEAD");
		assertBudgets(job, 7, 3, 4);
	}

	@Test
	void beyondTheirBudgetTheyCountLikeAnyOther() {
		UUID job = enqueue(started(
				(node) -> node.handler(expectedUntil(99)).maxAttempts(2).expected(IOException.class, 3, AT_ONCE)));
		awaitState(job, "DEAD");
		assertBudgets(job, 5, 2, 3);
	}

	@Test
	void lastAttemptIsNotUsedUpByAnExpectedFailure() {
		QueueNode node = started(
				(settings) -> settings.handler(expectedUntil(3)).expected(IOException.class, 0, AT_ONCE));
		UUID job = node.queue().enqueue(JobRequest.of(new Mail("hi")).maxAttempts(1)).id();
		awaitState(job, "SUCCEEDED");
		assertBudgets(job, 3, 0, 2);
	}

	@Test
	void eachKindHasDelaysThatCountItsOwnFailures() {
		MailHandler.Behaviour behaviour = (mail, job) -> {
			throw (job.attempt() % 2 == 1) ? new IOException("expected") : new IllegalStateException("unexpected");
		};
		UUID job = enqueue(started((node) -> node.handler(behaviour)
			.retryPolicy(Backoff.list(List.of(Duration.ZERO, HOUR)))
			.expected(IOException.class, 0,
					Backoff.list(List.of(Duration.ZERO, Duration.ZERO, HOUR.multipliedBy(5))))));
		await().until(() -> column("failures", job, Integer.class) == 2);
		assertBudgets(job, 4, 2, 2);
		assertDueIn(job, HOUR);
		this.sql.sql("UPDATE jobqueue_job SET run_at = now()").update();
		await().until(() -> column("expected_failures", job, Integer.class) == 3);
		assertDueIn(job, HOUR.multipliedBy(5));
	}

	@Test
	void waitingForTheNextAttemptItIsRetrying() {
		UUID job = enqueue(
				started((node) -> node.handler(expectedUntil(9)).expected(IOException.class, 0, Backoff.fixed(HOUR))));
		awaitState(job, "RETRYING");
		assertBudgets(job, 1, 0, 1);
		assertThat(column("last_error", job, String.class)).contains("IOException");
	}

	@Test
	void handlersOwnPolicyDecidesAndTheBudgetIsTheExpectedOne() {
		List<JobFailure> seen = new CopyOnWriteArrayList<>();
		UUID job = enqueue(started((node) -> node.bean(new Watchful(seen))
			.bean(new WatchedHandler(expectedUntil(99)))
			.maxAttempts(1)
			.expected(IOException.class, 0, Backoff.fixed(HOUR))));
		awaitState(job, "DEAD");
		assertThat(seen).extracting(JobFailure::number).containsExactly(1, 2, 3);
		assertBudgets(job, 3, 1, 2);
	}

	@Test
	void finalExceptionsOfTheHandlerComeFirst() {
		UUID job = enqueue(started(
				(node) -> node.bean(new FailingHandler(expectedUntil(9))).expected(IOException.class, 0, AT_ONCE)));
		awaitState(job, "DEAD");
		assertBudgets(job, 1, 1, 0);
	}

	@Test
	void whatRunsAtMostOnceHasNoSecondChance() {
		UUID job = enqueue(started(
				(node) -> node.bean(new OnceHandler(expectedUntil(9))).expected(IOException.class, 0, AT_ONCE)));
		awaitState(job, "DEAD");
		assertBudgets(job, 1, 1, 0);
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void timeoutCanBeExpected() {
		UUID job = enqueue(started((node) -> node.handler((mail, context) -> {
			if (context.attempt() == 1) {
				new CountDownLatch(1).await();
			}
		}).maxAttempts(1).maxRunTime(Duration.ofSeconds(2)).expected(JobTimeoutException.class, 0, AT_ONCE)));
		awaitState(job, "SUCCEEDED");
		assertBudgets(job, 2, 0, 1);
	}

	private void assertBudgets(UUID job, int attempts, int failures, int expectedFailures) {
		assertThat(this.sql.sql("SELECT attempts, failures, expected_failures FROM jobqueue_jobs WHERE id = ?")
			.param(job)
			.query()
			.singleRow())
			.isEqualTo(Map.of("attempts", attempts, "failures", failures, "expected_failures", expectedFailures));
	}

	private void assertDueIn(UUID job, Duration delay) {
		assertThat(column("extract(epoch FROM run_at - now())", job, Double.class)).isBetween(delay.toSeconds() - 60.0,
				(double) delay.toSeconds());
	}

	private static MailHandler.Behaviour expectedUntil(int attempt) {
		return (mail, job) -> {
			if (job.attempt() < attempt) {
				throw new IOException("not yet");
			}
		};
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	record Watchful(List<JobFailure> seen) implements RetryPolicy {

		@Override
		public RetryDecision decide(JobFailure failure) {
			this.seen.add(failure);
			return (failure.number() < 3) ? RetryDecision.retryIn(Duration.ZERO) : RetryDecision.giveUp();
		}

	}

	record WatchedHandler(MailHandler.Behaviour behaviour) {

		@JobHandler(queue = "emails", retryPolicy = "watchful")
		void handle(Mail mail, JobContext job) throws Throwable {
			this.behaviour.handle(mail, job);
		}

	}

	record FailingHandler(MailHandler.Behaviour behaviour) {

		@JobHandler(queue = "emails", failOn = IOException.class)
		void handle(Mail mail, JobContext job) throws Throwable {
			this.behaviour.handle(mail, job);
		}

	}

	record OnceHandler(MailHandler.Behaviour behaviour) {

		@JobHandler(queue = "emails", delivery = Delivery.AT_MOST_ONCE)
		void handle(Mail mail, JobContext job) throws Throwable {
			this.behaviour.handle(mail, job);
		}

	}

}
