package io.jobqueue.internal.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.jobqueue.JobHandler;
import io.jobqueue.JobResult;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.StoreCalls;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which steps of a job are logged, at which level, and with what.
 */
class JobLoggerTests extends NodeTestBase {

	private static final String SECRET = "confidential";

	@Test
	void everyStepOfASuccessIsLoggedAtDebug() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = enqueue(started((node) -> node.name("here").handler((mail, context) -> {
			})));
			await().until(() -> !log.messages("succeeded").isEmpty());
			assertThat(log.messages(job.toString())).extracting((line) -> line.replaceAll(".*] ", ""))
				.containsExactly("is enqueued: ADDED", "is claimed", "begins", "succeeded");
			assertThat(log.levels(job.toString())).containsOnly("DEBUG");
			assertThat(log.mdc("is enqueued")).containsExactly(queued(job));
			assertThat(log.mdc("is claimed")).containsExactly(running(job, 1));
			assertThat(log.mdc("begins")).containsExactly(running(job, 1));
			assertThat(log.mdc("succeeded")).containsExactly(running(job, 1));
			assertThat(log.text()).doesNotContain(SECRET);
		}
	}

	@Test
	void successesAreSilentOtherwise() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.handler((mail, context) -> {
			}));
			UUID job = enqueue(node);
			awaitState(job, "SUCCEEDED");
			node.jobWorker().stop();
			assertThat(log.messages("has stopped")).hasSize(1);
			assertThat(log.messages(job.toString())).isEmpty();
		}
	}

	@Test
	void idleWorkerLogsNothing() {
		AtomicInteger polls = new AtomicInteger();
		try (CapturedLog log = CapturedLog.ofEverything()) {
			QueueNode node = started((settings) -> settings.pollInterval(Duration.ofMillis(10))
				.jobStore((store) -> StoreCalls.after("scanBacklog", store, polls::incrementAndGet))
				.handler((mail, context) -> {
				}));
			await().until(() -> polls.get() > 5);
			List<String> before = log.messages();
			await().until(() -> polls.get() > 25);
			assertThat(log.messages()).isEqualTo(before);
			node.jobWorker().stop();
			assertThat(log.messages()).hasSizeGreaterThan(before.size());
		}
	}

	/**
	 * What a structured log has as {@code job.step}: nothing twice, nothing left out. The
	 * next attempt may begin before the end of the last one is logged.
	 */
	@Test
	void eachChangeOfStateIsOneLineThatNamesIt() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = enqueue(started((node) -> node.maxAttempts(2).handler((mail, context) -> {
				throw new IllegalStateException("refused");
			})));
			awaitStep(log, job, "dead");
			assertThat(log.steps(job.toString())).containsExactlyInAnyOrder("enqueued", "claimed", "begun", "retried",
					"claimed", "begun", "dead");
		}
	}

	@Test
	void snoozedJobIsLogged() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = enqueue(
					started((node) -> node.name("here").bean(new Returning(JobResult.snooze(Duration.ofHours(1))))));
			await().until(() -> !log.messages("runs again in 1h, and the attempt is not counted").isEmpty());
			assertThat(log.mdc("is not counted")).containsExactly(running(job, 1));
		}
	}

	@Test
	void releasedJobIsLogged() {
		CountDownLatch never = new CountDownLatch(1);
		try (CapturedLog log = CapturedLog.ofEverything()) {
			QueueNode node = started((settings) -> settings.name("here")
				.shutdownTimeout(Duration.ofMillis(10))
				.handler((mail, context) -> never.await()));
			UUID job = enqueue(node);
			await().until(() -> !log.messages("begins").isEmpty());
			node.jobWorker().stop();
			assertThat(log.mdc("is released, and the attempt is not counted")).containsExactly(running(job, 1));
			assertThat(log.levels("is released, and the attempt is not counted")).containsExactly("INFO");
		}
	}

	/**
	 * The worker has not received the request: the outcome that it submitted is not the
	 * one that was written.
	 */
	@Test
	void jobThatIsCancelledInsteadIsReportedAsSuch() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = enqueue(started((node) -> node.name("here")
				.bean(new Returning(JobResult.snooze(Duration.ofHours(1)), this::requestCancel))));
			await().until(() -> !log.messages("is cancelled").isEmpty());
			assertThat(log.mdc("is cancelled")).containsExactly(running(job, 1));
			assertThat(log.levels("is cancelled")).containsExactly("INFO");
			assertThat(log.messages("runs again in")).isEmpty();
		}
	}

	@Test
	void levelRisesFromTheThirdFailure() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started((node) -> node.name("here").maxAttempts(5).handler((mail, context) -> {
				throw new IllegalStateException("refused");
			})));
			awaitStep(log, job, "dead");
			assertThat(log.levels("failed and is retried in")).containsExactly("WARN", "WARN", "ERROR", "ERROR");
			assertThat(log.levels("failed and is dead")).containsExactly("ERROR");
			assertThat(log.mdc("failed and")).containsExactly(running(job, 1), running(job, 2), running(job, 3),
					running(job, 4), running(job, 5));
			assertThat(log.text()).contains("IllegalStateException: refused");
		}
	}

	@Test
	void levelRisesForHandlersThatAskForAnotherRunToo() {
		try (CapturedLog log = new CapturedLog()) {
			UUID job = enqueue(started(
					(node) -> node.name("here").maxAttempts(4).bean(new Returning(JobResult.retryIn(Duration.ZERO)))));
			awaitStep(log, job, "dead");
			assertThat(log.levels("failed and is retried in 0ms, as its handler requested")).containsExactly("WARN",
					"WARN", "ERROR");
			assertThat(log.mdc("failed and is retried in")).containsExactly(running(job, 1), running(job, 2),
					running(job, 3));
		}
	}

	@Test
	void expectedFailuresAreLoggedAtDebug() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = enqueue(started((node) -> node.name("here")
				.expected(IOException.class, 0, Backoff.fixed(Duration.ZERO))
				.handler((mail, context) -> {
					if (context.attempt() < 5) {
						throw new IOException("not yet");
					}
				})));
			awaitStep(log, job, "succeeded");
			assertThat(log.levels("failed with an expected exception")).containsExactly("DEBUG", "DEBUG", "DEBUG",
					"DEBUG");
			assertThat(log.mdc("failed with an expected exception")).contains(running(job, 4));
		}
	}

	@Test
	void repeatedlyLostJobIsNamed() {
		CountDownLatch never = new CountDownLatch(1);
		try (CapturedLog log = CapturedLog.ofEverything()) {
			UUID job = enqueue(started((settings) -> settings.name("here")
				.maxAttempts(4)
				.reaperInterval(Duration.ofMillis(100))
				.handler((mail, context) -> never.await())));
			for (int attempt = 1; attempt <= 4; attempt++) {
				int number = attempt;
				await().until(() -> count("jobqueue_job WHERE locked_by IS NOT NULL AND attempts = " + number) == 1);
				endLease();
				await().until(() -> log.levels("Reaped Job[").size() == number);
			}
			assertThat(log.levels("Reaped Job[")).containsExactly("DEBUG", "DEBUG", "ERROR", "ERROR");
			assertThat(log.mdc("Reaped Job[")).containsExactly(running(job, 1), running(job, 2), running(job, 3),
					running(job, 4));
			assertThat(log.messages("from worker here, now dead; failed attempts: 4")).hasSize(1);
			assertThat(log.messages("Reaped 1 job of type 'mail' in queue emails from worker here, now dead"))
				.hasSize(1);
			assertThat(log.pairs("Reaped 1 job of type")).hasSize(4)
				.containsOnly(Map.of("job.queue", "emails", "job.type", "mail", "job.worker", "here"));
			assertThat(log.loggers("Reaped")).containsOnly("io.jobqueue.reaper");
		}
		finally {
			never.countDown();
		}
	}

	private void awaitStep(CapturedLog log, UUID job, String step) {
		await().until(() -> log.steps(job.toString()).contains(step));
	}

	private void requestCancel() {
		this.sql.sql("UPDATE jobqueue_job SET cancel_requested = true").update();
	}

	private void endLease() {
		this.sql.sql("UPDATE jobqueue_job SET lease_until = now() WHERE locked_by IS NOT NULL").update();
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = now()").update();
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail(SECRET)).id();
	}

	private static Map<String, String> queued(UUID job) {
		return Map.of("job.id", job.toString(), "job.queue", "emails", "job.type", "mail");
	}

	private static Map<String, String> running(UUID job, int attempt) {
		Map<String, String> entries = new HashMap<>(queued(job));
		entries.putAll(Map.of("job.attempt", Integer.toString(attempt), "job.worker", "here"));
		return entries;
	}

	record Returning(JobResult result, Runnable work) {

		Returning(JobResult result) {
			this(result, () -> {
			});
		}

		@JobHandler(queue = "emails")
		JobResult handle(Mail mail) {
			this.work.run();
			return this.result;
		}

	}

}
