package io.jobqueue.delivery;

import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.CancelOutcome;
import io.jobqueue.ClaimLostException;
import io.jobqueue.JobResult;
import io.jobqueue.JobTimeoutException;
import io.jobqueue.PulledJob;
import io.jobqueue.RetryDecision;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.harness.TestNodeSettings;
import io.jobqueue.internal.policy.Backoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * What becomes of pulled jobs.
 */
class PulledJobTests extends NodeTestBase {

	private static final Duration SHORT = Duration.ofMillis(300);

	private static final Duration RUN_TIME = Duration.ofSeconds(2);

	@Test
	void successCompletes() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		assertThat(job.payload()).isEqualTo(new Mail("hi"));
		assertThat(job.context().id()).isEqualTo(id);
		assertThat(job.context().attempt()).isEqualTo(1);
		assertThat(state(id)).isEqualTo("RUNNING");
		job.end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
		assertThat(count("jobqueue_claim")).isZero();
	}

	@Test
	void resultDecides() {
		QueueNode node = start();
		assertThat(endedBy(node, JobResult.retryIn(Duration.ofHours(1)))).isEqualTo("RETRYING, 1 failed");
		assertThat(endedBy(node, JobResult.snooze(Duration.ofHours(1)))).isEqualTo("SCHEDULED, 0 failed");
		assertThat(endedBy(node, JobResult.fail("no such customer"))).isEqualTo("DEAD, 1 failed");
	}

	private String endedBy(QueueNode node, JobResult result) {
		UUID id = enqueue(node);
		pull(node).end(result);
		return "%s, %d failed".formatted(state(id), column("failures", id, Integer.class));
	}

	@Test
	void resultIsNeeded() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		assertThatNullPointerException().isThrownBy(() -> job.end(null));
		assertThat(state(id)).isEqualTo("RUNNING");
		job.close();
	}

	@Test
	void retryPolicyOfTheQueueDecidesOnAnException() {
		QueueNode node = start((settings) -> settings.retryPolicy((failure) -> {
			assertThat(failure.exception()).hasMessage("refused");
			return RetryDecision.retryIn(Duration.ofHours(1));
		}));
		UUID id = enqueue(node);
		pull(node).fail(new IllegalStateException("refused"));
		assertThat(state(id)).isEqualTo("RETRYING");
		assertThat(column("failures", id, Integer.class)).isEqualTo(1);
		assertThat(column("last_error", id, String.class)).contains("refused");
	}

	@Test
	void expectedExceptionDoesNotCount() {
		QueueNode node = start((settings) -> settings.maxAttempts(1)
			.expected(IllegalStateException.class, 10, Backoff.fixed(Duration.ZERO)));
		UUID id = enqueue(node);
		pull(node).fail(new IllegalStateException("asleep"));
		assertThat(column("failures", id, Integer.class)).isZero();
		pull(node).fail(new IllegalArgumentException("broken"));
		assertThat(state(id)).isEqualTo("DEAD");
	}

	@Test
	void lastAttemptIsTheLast() {
		QueueNode node = start((settings) -> settings.maxAttempts(2));
		UUID id = enqueue(node);
		pull(node).fail(new IllegalStateException("refused"));
		assertThat(state(id)).isNotEqualTo("DEAD");
		pull(node).fail(new IllegalStateException("refused"));
		assertThat(state(id)).isEqualTo("DEAD");
	}

	@Test
	void closedJobIsReleasedUncountedAndClaimableAtOnce() {
		QueueNode node = start();
		UUID id = enqueue(node);
		pull(node).close();
		assertThat(state(id)).isEqualTo("READY");
		assertThat(column("attempts", id, Integer.class)).isZero();
		try (PulledJob<Mail> again = pull(node)) {
			assertThat(again.context().attempt()).isEqualTo(1);
			again.end(JobResult.success());
		}
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobCanBeEndedOnce() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		job.end(JobResult.success());
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.end(JobResult.fail("twice")))
			.withMessageStartingWith("The claim on job %s of type 'mail' in queue 'emails' is lost", id);
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.fail(new Error("twice")));
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.context().extend(SHORT))
			.withMessageStartingWith("The claim on job %s of type 'mail' in queue 'emails' is lost", id);
		job.close();
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void outcomeOfALostClaimIsNotWritten() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		loseClaim(id);
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.end(JobResult.success()))
			.withMessageStartingWith("The claim on job %s of type 'mail' in queue 'emails' is lost", id);
		assertThat(state(id)).isIn("READY", "RETRYING");
		assertThat(count("jobqueue_archive")).isZero();
	}

	@Test
	void closeAfterALostClaimDoesNothing() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		loseClaim(id);
		job.close();
		assertThat(column("failures", id, Integer.class)).isEqualTo(1);
	}

	private void loseClaim(UUID id) {
		this.sql.sql("UPDATE jobqueue_job SET lease_until = statement_timestamp() - interval '1 minute'").update();
		this.sql.sql("UPDATE jobqueue_claim SET expires_at = statement_timestamp() - interval '1 minute'").update();
		await().until(() -> column("failures", id, Integer.class) == 1);
	}

	@Test
	@Tag("slow") // waits for the run time
	void attemptFailsAfterItsRunTimeWithoutInterrupt() {
		QueueNode node = start((settings) -> settings.maxRunTime(RUN_TIME).maxAttempts(1));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		awaitState(id, "DEAD");
		assertThat(column("last_error", id, String.class)).startsWith(JobTimeoutException.class.getName())
			.contains("was not ended within its maximum run time of ", " (set by max-run-time)");
		assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.end(JobResult.success()));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	@Tag("slow") // waits for longer than the run time
	void extensionCountsFromNow() {
		QueueNode node = start((settings) -> settings.maxRunTime(RUN_TIME).maxAttempts(1));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		job.context().extend(Duration.ofMinutes(1));
		await().during(RUN_TIME.plus(SHORT)).until(() -> state(id).equals("RUNNING"));
		job.end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void slowJobIsReportedOnce() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = start((settings) -> settings.warnAfter(SHORT));
			enqueue(node);
			PulledJob<Mail> job = pull(node);
			await().until(() -> !log.messages("has not been ended").isEmpty());
			await().during(SHORT).until(() -> log.messages("has not been ended").size() == 1);
			assertThat(log.mdc("has not been ended").get(0)).containsEntry("job.id", job.context().id().toString());
			job.end(JobResult.success());
		}
	}

	@Test
	void cancelRequestIsSeenWithinAHeartbeatWithoutInterrupt() {
		QueueNode node = start((settings) -> settings.cancelGrace(Duration.ZERO));
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		assertThat(producer().operations().cancel(id)).isEqualTo(CancelOutcome.REQUESTED);
		await().until(job.context()::cancelRequested);
		job.fail(new IllegalStateException("stopped"));
		assertThat(state(id)).isEqualTo("CANCELLED");
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void successPrevailsOverACancelRequest() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		assertThat(node.operations().cancel(id)).isEqualTo(CancelOutcome.REQUESTED);
		assertThat(job.context().cancelRequested()).isTrue();
		job.end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void progressIsShown() {
		QueueNode node = start();
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		job.context().progress(40, "page 2");
		await().until(() -> column("coalesce(progress_message, '')", id, String.class), "page 2"::equals);
		job.end(JobResult.success());
	}

	@Test
	void stepsAreLoggedUnderTheNameOfTheJob() {
		try (CapturedLog log = CapturedLog.ofEverything()) {
			QueueNode node = start();
			UUID id = enqueue(node);
			pull(node).fail(new IllegalStateException("refused"));
			for (String step : new String[] { "is claimed", "begins", "failed and is retried in" }) {
				await().untilAsserted(() -> assertThat(log.mdc(step))
					.anySatisfy((entries) -> assertThat(entries).containsEntry("job.id", id.toString())
						.containsEntry("job.worker", "node")));
			}
		}
	}

	private QueueNode start() {
		return start((settings) -> settings);
	}

	private QueueNode start(UnaryOperator<TestNodeSettings> settings) {
		return started(settings);
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private PulledJob<Mail> pull(QueueNode node) {
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		return job;
	}

}
