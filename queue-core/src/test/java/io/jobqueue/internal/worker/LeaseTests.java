package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobRequest;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job that does not end within its maximum run time goes to another worker.
 */
class LeaseTests extends NodeTestBase {

	private static final Duration SHORT = Duration.ofSeconds(2);

	/**
	 * A busy machine does not keep a heartbeat back for so long.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(5);

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void hungJobRunsAgain() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.maxRunTime(SHORT).handler((mail, job) -> {
			if (job.attempt() == 1) {
				release.await();
			}
		}));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "SUCCEEDED");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(2);
		assertThat(column("failures", job, Integer.class)).isEqualTo(1);
		assertThat(count("jobqueue_archive")).isEqualTo(1);
		release.countDown();
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void hungJobOnItsLastAttemptIsDead() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.handler((mail, job) -> release.await()));
		UUID job = node.queue().enqueue(JobRequest.of(new Mail("hi")).maxAttempts(1).maxRunTime(SHORT)).id();
		awaitState(job, "DEAD");
		release.countDown();
		assertThat(column("last_error", job, String.class)).contains(
				"did not return within its maximum run time of 2s (set by the JobRequest or the @JobHandler); it is interrupted after");
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void limitOfASettingIsNamedWithItsKey() {
		QueueNode node = started((settings) -> settings.maxRunTime(SHORT)
			.maxAttempts(1)
			.handler((mail, job) -> new CountDownLatch(1).await()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class))
			.contains("did not return within its maximum run time of 2s (set by max-run-time); it is interrupted after")
			.containsPattern("is interrupted after (\\d+s )?\\d+m?s in thread");
	}

	@Test
	@Tag("slow") // a handler that hangs until its time is over
	void limitOfAnExtensionIsNamed() {
		QueueNode node = started((settings) -> settings.maxAttempts(1).handler((mail, job) -> {
			job.extend(SHORT);
			new CountDownLatch(1).await();
		}));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "DEAD");
		assertThat(column("last_error", job, String.class))
			.contains("did not return within the 2s of JobContext.extend; it is interrupted after");
	}

	@Tag("slow") // waits for longer than a silent worker keeps its jobs
	@Test
	void leaseLastsForTheRunTimeEvenBeyondTheWorkersTimeout() {
		CountDownLatch release = new CountDownLatch(1);
		QueueNode node = started((settings) -> settings.timeout(SILENCE).handler((mail, job) -> release.await()));
		UUID job = node.queue().enqueue(new Mail("hi")).id();
		awaitState(job, "RUNNING");
		String since = this.sql.sql("SELECT now()").query(String.class).single();
		await().until(() -> this.sql.sql("SELECT last_active_at > ?::timestamptz + interval '7 s' FROM jobqueue_worker")
			.param(since)
			.query(Boolean.class)
			.single());
		assertThat(state(job)).isEqualTo("RUNNING");
		assertThat(column("attempts", job, Integer.class)).isEqualTo(1);
		release.countDown();
		awaitState(job, "SUCCEEDED");
	}

}
