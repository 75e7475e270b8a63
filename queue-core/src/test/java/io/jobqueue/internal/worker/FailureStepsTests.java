package io.jobqueue.internal.worker;

import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Test;

import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failures are logged as what was recorded of them, and not before.
 */
class FailureStepsTests extends NodeTestBase {

	@Test
	void failureOfACancelledJobIsNotReportedAsARetry() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started((node) -> node.handler((mail, context) -> {
				requestCancel();
				throw new IllegalStateException("refused");
			})));
			awaitStep(log, job, "cancelled");
			assertThat(log.steps(job.toString())).containsExactly("cancelled");
			assertThat(log.messages(job.toString())).singleElement().asString().endsWith("is cancelled");
		}
	}

	@Test
	void failureOfAReapedJobIsReportedAsLostOnly() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started((node) -> node.handler((mail, context) -> {
				this.sql.sql("UPDATE jobqueue_job SET locked_by = gen_random_uuid()").update();
				throw new IllegalStateException("refused");
			})));
			await().until(() -> !log.steps(job.toString()).isEmpty());
			assertThat(log.steps(job.toString())).containsExactly("lost");
			assertThat(log.messages(job.toString())).hasSize(1);
			assertThat(log.text()).contains("IllegalStateException: refused");
		}
	}

	@Test
	void failureIsNotReportedBeforeItIsWritten() throws InterruptedException {
		CountDownLatch decided = new CountDownLatch(1);
		CountDownLatch write = new CountDownLatch(1);
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started((node) -> node.maxAttempts(1)
				.jobStore((store) -> StoreCalls.before("recordOutcomes", store, () -> pass(decided, write)))
				.handler((mail, context) -> {
					throw new IllegalStateException("refused");
				})));
			decided.await();
			assertThat(log.messages(job.toString())).isEmpty();
			write.countDown();
			awaitStep(log, job, "dead");
			assertThat(state(job)).isEqualTo("DEAD");
		}
		finally {
			write.countDown();
		}
	}

	@Test
	void failureOfARetryPolicyIsLoggedAndTheJobRetried() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started((node) -> node.retryPolicy((failure) -> {
				throw new IllegalStateException("no idea");
			}).handler((mail, context) -> {
				throw new IllegalStateException("refused");
			})));
			awaitStep(log, job, "retried");
			assertThat(state(job)).isEqualTo("RETRYING");
			assertThat(log.messages("failed and is retried in 1m")).hasSize(1);
			assertThat(log.text()).contains("refused", "no idea");
		}
	}

	private void awaitStep(CapturedLog log, UUID job, String step) {
		await().until(() -> log.steps(job.toString()).contains(step));
	}

	private static void pass(CountDownLatch arrived, CountDownLatch release) {
		arrived.countDown();
		try {
			release.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void requestCancel() {
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true").update();
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

}
