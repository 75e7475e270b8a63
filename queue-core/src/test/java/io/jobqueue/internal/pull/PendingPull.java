package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.concurrent.WakeableSleep;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A pull in a thread of its own, which waits for long and ends the job at once.
 */
record PendingPull(Thread thread, Future<@Nullable PulledJob<Mail>> result) {

	static final Duration WELL_BELOW = Duration.ofSeconds(30);

	private static final Duration LONG = Duration.ofSeconds(60);

	static PendingPull begin(QueueNode node, JobSource<Mail> source) {
		FutureTask<@Nullable PulledJob<Mail>> result = new FutureTask<>(() -> ended(node.puller().pull(source, LONG)));
		Thread thread = new Thread(result, "pull");
		thread.start();
		return new PendingPull(thread, result);
	}

	private static @Nullable PulledJob<Mail> ended(@Nullable PulledJob<Mail> job) {
		if (job != null) {
			job.end(JobResult.success());
		}
		return job;
	}

	PendingPull awaitWaiting() {
		Awaitility.await()
			.pollInterval(Duration.ofMillis(10))
			.until(() -> isIn(WakeableSleep.class) || isIn(Semaphore.class));
		return this;
	}

	boolean isIn(Class<?> type) {
		return Stream.of(this.thread.getStackTrace()).anyMatch((call) -> call.getClassName().equals(type.getName()));
	}

	PulledJob<Mail> soon() throws Exception {
		PulledJob<Mail> job = this.result.get(WELL_BELOW.toMillis(), TimeUnit.MILLISECONDS);
		assertThat(job).isNotNull();
		return job;
	}

	void assertInterrupted() {
		assertThat(this.result).failsWithin(WELL_BELOW)
			.withThrowableThat()
			.withCauseInstanceOf(InterruptedException.class);
	}

	void end() throws InterruptedException {
		this.thread.interrupt();
		this.thread.join();
	}

}
