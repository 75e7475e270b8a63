package io.jobqueue.test;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.execution.JobRunner.Result;

/**
 * The handler that runs on the thread of a test. A request to cancel its job is passed to
 * it at once; after the grace, the thread is interrupted, but not within a call for
 * several jobs.
 */
final class RunningHandler implements JobSignals.Listener {

	private final Duration grace;

	private final Predicate<ClaimedJob> interruptible;

	private @Nullable JobExecution execution;

	private @Nullable Thread thread;

	private boolean interrupted;

	RunningHandler(Duration grace, Predicate<ClaimedJob> interruptible) {
		this.grace = grace;
		this.interruptible = interruptible;
	}

	Result run(JobExecution running, Supplier<Result> handler) {
		begin(running);
		try {
			return handler.get();
		}
		finally {
			end();
		}
	}

	private synchronized void begin(JobExecution running) {
		this.execution = running;
		this.thread = Thread.currentThread();
	}

	/**
	 * The test goes on with this thread.
	 */
	private synchronized void end() {
		this.thread = null;
		if (this.interrupted) {
			boolean unused = Thread.interrupted();
			this.interrupted = false;
		}
	}

	synchronized List<JobExecution> executions() {
		return (this.execution != null) ? List.of(this.execution) : List.of();
	}

	/**
	 * Take a request to cancel a job, which may be another one.
	 */
	@Override
	public synchronized void onCancelRequest(UUID job) {
		JobExecution running = this.execution;
		if (this.thread != null && running != null && running.job().id().equals(job)) {
			running.requestCancel(this.grace);
			Executor later = CompletableFuture.delayedExecutor(this.grace.toNanos(), TimeUnit.NANOSECONDS);
			later.execute(() -> interrupt(running));
		}
	}

	private synchronized void interrupt(JobExecution cancelled) {
		if (this.thread != null && this.execution == cancelled && this.interruptible.test(cancelled.job())) {
			this.interrupted = true;
			this.thread.interrupt();
		}
	}

}
