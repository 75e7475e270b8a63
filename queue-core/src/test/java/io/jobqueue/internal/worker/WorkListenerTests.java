package io.jobqueue.internal.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.JobHandler;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.internal.policy.Backoff;
import io.jobqueue.internal.store.MaintenanceStore.ReapedJobs;
import io.jobqueue.internal.worker.completion.RunOutcome;
import io.jobqueue.internal.worker.execution.RunningJob;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is measured of the work.
 */
class WorkListenerTests extends NodeTestBase {

	private static final Duration HOUR = Duration.ofHours(1);

	private CountDownLatch release = new CountDownLatch(1);

	private final RecordingListener recorder = new RecordingListener();

	@BeforeEach
	void block() {
		this.release = new CountDownLatch(1);
	}

	@Test
	void successAndItsTimesAreReported() {
		QueueNode node = started((settings) -> settings.listener(this.recorder).handler((mail, job) -> {
		}));
		UUID job = node.queue().enqueue(new Mail("")).id();
		await().until(() -> this.recorder.outcomes(job).equals(List.of(RunOutcome.SUCCEEDED)));
		assertThat(this.recorder.claims).containsOnly("emails");
		assertThat(this.recorder.waits.get(job)).isLessThan(Duration.ofMinutes(1));
		assertThat(this.recorder.times).allSatisfy((time) -> assertThat(time).isPositive());
	}

	@Test
	void waitIsByTheClockOfTheDatabase() {
		QueueNode node = node(settings().listener(this.recorder).handler((mail, job) -> {
		}));
		UUID job = node.queue().enqueue(new Mail("")).id();
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - interval '1 hour'").update();
		node.start();
		awaitState(job, "SUCCEEDED");
		assertThat(this.recorder.waits.get(job)).isBetween(HOUR, HOUR.plusMinutes(1));
	}

	@Test
	void veryLongWaitIsReported() {
		QueueNode node = node(settings().listener(this.recorder).handler((mail, job) -> {
		}));
		UUID job = node.queue().enqueue(new Mail("")).id();
		this.sql.sql("UPDATE jobqueue_job SET run_at = '0001-01-01'").update();
		node.start();
		awaitState(job, "SUCCEEDED");
		assertThat(this.recorder.waits.get(job)).isGreaterThan(Duration.ofDays(30_000));
	}

	@Test
	void failuresAndDeathHaveEvents() {
		UUID job = enqueue(
				started((settings) -> settings.maxAttempts(3).listener(this.recorder).handler((mail, context) -> {
					throw new IllegalStateException("refused");
				})));
		awaitState(job, "DEAD");
		await().until(() -> this.recorder.outcomes(job)
			.equals(List.of(RunOutcome.RETRIED, RunOutcome.RETRIED, RunOutcome.DEAD)));
	}

	@Test
	void failureThatIsExpectedIsReportedAsSuch() {
		UUID job = enqueue(started((settings) -> settings.maxAttempts(2)
			.expected(IOException.class, 1, Backoff.fixed(Duration.ZERO))
			.listener(this.recorder)
			.handler((mail, context) -> {
				throw new IOException("refused");
			})));
		await().until(() -> this.recorder.outcomes(job)
			.equals(List.of(RunOutcome.EXPECTED, RunOutcome.RETRIED, RunOutcome.DEAD)));
	}

	@Test
	void snoozedJobIsReported() {
		UUID job = enqueue(
				started((settings) -> settings.listener(this.recorder).bean(new Returning(JobResult.snooze(HOUR)))));
		await().until(() -> this.recorder.outcomes(job).equals(List.of(RunOutcome.SNOOZED)));
	}

	@Test
	void jobThatIsCancelledInsteadIsReported() {
		UUID job = enqueue(started((settings) -> settings.listener(this.recorder).handler((mail, context) -> {
			this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true").update();
			throw new IllegalStateException("refused");
		})));
		await().until(() -> this.recorder.outcomes(job).equals(List.of(RunOutcome.CANCELLED)));
	}

	@Test
	void jobOfALostClaimIsReportedAsLost() {
		UUID job = enqueue(started((settings) -> settings.listener(this.recorder)
			.handler((mail, context) -> this.sql.sql("DELETE FROM jobqueue_job").update())));
		await().until(() -> this.recorder.outcomes(job).equals(List.of(RunOutcome.LOST)));
	}

	/**
	 * Its worker knows of the run, and the reaper that takes the job away counts it.
	 */
	@Test
	@Tag("slow") // an outage that lasts
	void jobWhoseOutcomeCannotBeWrittenBeforeAStopIsLostOnce() {
		QueueNode node = started((settings) -> settings.listener(this.recorder)
			.jobStore((jobs) -> StoreCalls.before("recordOutcomes", jobs, WorkListenerTests::fail))
			.shutdownTimeout(Duration.ofMillis(10))
			.handler((mail, job) -> {
			}));
		UUID job = enqueue(node);
		await().until(() -> this.recorder.waits.containsKey(job));
		node.jobWorker().stop();
		assertThat(this.recorder.outcomes(job)).containsExactly(RunOutcome.LOST);
		QueueNode other = started((settings) -> settings.listener(this.recorder).handler((mail, context) -> {
		}));
		await().until(() -> this.recorder.outcomes(job).equals(List.of(RunOutcome.LOST, RunOutcome.SUCCEEDED)));
		assertThat(Stream.of(node, other).flatMap((each) -> each.reaped().stream()).mapToLong(ReapedJobs::count).sum())
			.isOne();
	}

	private static void fail() {
		throw new DataAccessResourceFailureException("The database is gone");
	}

	@Test
	void jobThatIsReleasedIsNoRun() {
		QueueNode node = started((settings) -> settings.listener(this.recorder)
			.shutdownTimeout(Duration.ofMillis(10))
			.handler((mail, context) -> this.release.await()));
		UUID job = enqueue(node);
		await().until(() -> this.recorder.waits.containsKey(job));
		node.jobWorker().stop();
		assertThat(state(job)).isEqualTo("READY");
		assertThat(this.recorder.outcomes(job)).isEmpty();
	}

	@Test
	void pulledJobIsMeasuredToo() throws Exception {
		QueueNode node = started((settings) -> settings.listener(this.recorder).serves("none"));
		UUID job = enqueue(node);
		try (PulledJob<Mail> pulled = node.puller().pull(JobSource.of("emails", Mail.class), Duration.ofSeconds(30))) {
			assertThat(node.puller().running()).extracting(RunningJob::queue).containsExactly("emails");
			pulled.end(JobResult.success());
		}
		await().until(() -> this.recorder.outcomes(job).equals(List.of(RunOutcome.SUCCEEDED)));
		assertThat(this.recorder.waits.get(job)).isBetween(Duration.ZERO, Duration.ofMinutes(1));
		assertThat(this.recorder.claims).contains("emails");
		assertThat(this.recorder.times).allSatisfy((time) -> assertThat(time).isPositive());
		assertThat(node.puller().running()).isEmpty();
	}

	@Test
	void runningJobsAreKnown() {
		QueueNode node = started((settings) -> settings.handler((mail, job) -> this.release.await()));
		assertThat(node.jobWorker().running()).isEmpty();
		node.queue().enqueue(JobRequest.of(new Mail("")));
		await().until(() -> !node.jobWorker().running().isEmpty());
		assertThat(node.jobWorker().running()).singleElement().satisfies((job) -> {
			assertThat(job.queue()).isEqualTo("emails");
			assertThat(job.type()).isEqualTo("mail");
			assertThat(job.runTime()).isPositive();
		});
		this.release.countDown();
		await().until(() -> node.jobWorker().running().isEmpty());
	}

	/**
	 * It holds its thread until it ends, although its job has gone on.
	 */
	@Test
	void handlerThatIgnoresInterruptsIsStillRunning() {
		QueueNode node = started((settings) -> settings.maxRunTime(Duration.ofSeconds(1))
			.concurrency(1)
			.maxAttempts(1)
			.handler((mail, job) -> awaitUninterruptibly()));
		UUID stuck = enqueue(node);
		awaitState(stuck, "DEAD");
		await().until(() -> node.jobWorker().running().stream().anyMatch(WorkListenerTests::isReplaced));
		this.release.countDown();
		await().until(() -> node.jobWorker().running().isEmpty());
	}

	private static boolean isReplaced(RunningJob job) {
		return job.runTime().compareTo(Duration.ofMillis(1500)) > 0;
	}

	private void awaitUninterruptibly() {
		boolean over = false;
		while (!over) {
			try {
				this.release.await();
				over = true;
			}
			catch (InterruptedException ex) {
				// ignored: this is a handler that does not end when interrupted
			}
		}
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("")).id();
	}

	record Returning(JobResult result) {

		@JobHandler(queue = "emails")
		JobResult handle(Mail mail) {
			return this.result;
		}

	}

}
