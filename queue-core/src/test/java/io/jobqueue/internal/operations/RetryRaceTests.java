package io.jobqueue.internal.operations;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobReceipt.Outcome;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job is retried while another one is enqueued with its key. The one that gets the key
 * starts later the next time, so that both run close together on any machine.
 */
class RetryRaceTests extends NodeTestBase {

	private static final Duration STEP = Duration.ofNanos(300_000);

	@Test
	void oneOfTwoGetsTheKeyAndTheOtherIsRefused() throws Exception {
		QueueNode node = producer();
		int refused = 0;
		Duration headStart = Duration.ZERO;
		Duration step = STEP;
		boolean before = true;
		for (int round = 0; round < 60; round++) {
			String key = "k" + round;
			UUID job = cancelled(node, key);
			CyclicBarrier start = new CyclicBarrier(2);
			Duration lag = headStart;
			CompletableFuture<JobReceipt> enqueued = CompletableFuture.supplyAsync(() -> {
				meet(start, lag);
				return node.queue().enqueue(mail(key));
			});
			boolean retried = retries(node, job, start, lag.negated());
			JobReceipt receipt = enqueued.get(30, TimeUnit.SECONDS);
			refused += retried ? 0 : 1;
			step = (retried == before) ? step.multipliedBy(5).dividedBy(4) : STEP;
			before = retried;
			headStart = retried ? headStart.minus(step) : headStart.plus(step);
			assertThat(receipt.outcome()).isEqualTo(retried ? Outcome.ALREADY_WAITING : Outcome.ADDED);
			assertThat(this.sql.sql("SELECT id FROM jobqueue_job WHERE unique_key = ?")
				.param(key)
				.query(UUID.class)
				.list()).containsExactly(receipt.id());
		}
		assertThat(refused).as("how often the retry lost").isBetween(1, 59);
	}

	private static boolean retries(QueueNode node, UUID job, CyclicBarrier start, Duration lag) {
		meet(start, lag);
		try {
			node.operations().retry(job);
			return true;
		}
		catch (JobOperationException ex) {
			assertThat(ex.reason()).isEqualTo(Reason.KEY_TAKEN);
			return false;
		}
	}

	private static void meet(CyclicBarrier barrier, Duration lag) {
		try {
			barrier.await(30, TimeUnit.SECONDS);
			LockSupport.parkNanos(lag.toNanos());
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static UUID cancelled(QueueNode node, String key) {
		UUID job = node.queue().enqueue(mail(key).delay(Duration.ofHours(1))).id();
		node.operations().cancel(job);
		return job;
	}

	private static JobRequest mail(String key) {
		return JobRequest.of("emails", new Mail("hi")).key(key);
	}

}
