package io.jobqueue.worker;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a stop of the application means to those who pull.
 */
class PullStopTests extends NodeTestBase {

	private static final Duration WELL_BELOW = Duration.ofSeconds(5);

	@Test
	void waitingPullEndsWithoutAJobAndFurtherOnesAreRefused() throws Exception {
		QueueNode node = started((settings) -> settings);
		FutureTask<PulledJob<Mail>> pull = new FutureTask<>(
				() -> node.puller().pull("emails", Mail.class, Duration.ofMinutes(1)));
		new Thread(pull).start();
		await().until(() -> count("jobqueue_worker") > 0);
		node.puller().stop();
		assertThat(pull.get(WELL_BELOW.toMillis(), TimeUnit.MILLISECONDS)).isNull();
		assertThat(count("jobqueue_worker")).isZero();
		assertRefused(node);
	}

	@Test
	void nothingIsPulledBeforeTheStart() {
		assertRefused(producer());
	}

	private static void assertRefused(QueueNode node) {
		assertThatExceptionOfType(JobQueueException.class).isThrownBy(() -> node.puller().tryPull("emails", Mail.class))
			.withMessageContaining("not running");
	}

	@Test
	void pullsGoOnAfterAnotherStart() {
		QueueNode node = started((settings) -> settings);
		assertThat(node.puller().tryPull("emails", Mail.class)).isNull();
		node.puller().stop();
		node.puller().start();
		UUID id = enqueue(node);
		pull(node).end(JobResult.success());
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void jobThatIsNotEndedInTimeIsGivenBackUncounted() {
		try (CapturedLog log = new CapturedLog()) {
			QueueNode node = started((settings) -> settings.shutdownTimeout(Duration.ofMillis(200)));
			UUID id = enqueue(node);
			PulledJob<Mail> job = pull(node);
			node.puller().stop();
			assertThat(state(id)).isEqualTo("READY");
			assertThat(column("attempts", id, Integer.class)).isZero();
			assertThat(log.messages("is not ended; it is given back")).hasSize(1);
			assertThatExceptionOfType(ClaimLostException.class).isThrownBy(() -> job.end(JobResult.success()));
			job.close();
		}
	}

	@Test
	void jobThatIsEndedInTimeCounts() throws Exception {
		QueueNode node = started((settings) -> settings);
		UUID id = enqueue(node);
		PulledJob<Mail> job = pull(node);
		FutureTask<Void> stop = new FutureTask<>(node.puller()::stop, null);
		new Thread(stop).start();
		await().until(() -> !node.puller().isRunning());
		job.end(JobResult.success());
		stop.get(WELL_BELOW.toMillis(), TimeUnit.MILLISECONDS);
		assertThat(state(id)).isEqualTo("SUCCEEDED");
		assertThat(count("jobqueue_worker")).isZero();
	}

	@Test
	void stopThatReleasesDoesNotWait() {
		QueueNode node = started((settings) -> settings.releaseOnStop());
		UUID id = enqueue(node);
		pull(node);
		long start = System.nanoTime();
		node.puller().stop();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(WELL_BELOW);
		assertThat(state(id)).isEqualTo("READY");
	}

	private static UUID enqueue(QueueNode node) {
		return node.queue().enqueue("emails", new Mail("hi")).id();
	}

	private static PulledJob<Mail> pull(QueueNode node) {
		PulledJob<Mail> job = node.puller().tryPull("emails", Mail.class);
		assertThat(job).isNotNull();
		return job;
	}

}
