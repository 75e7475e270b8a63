package io.jobqueue.worker;

import java.util.concurrent.atomic.AtomicBoolean;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Released;

/**
 * A job that a thread is running. Its outcome is settled once: by the handler, or by a
 * stop that has waited long enough.
 */
final class HandlerRun {

	private final ClaimedJob job;

	private final Thread thread = Thread.currentThread();

	private final Settler settler;

	private final AtomicBoolean settled = new AtomicBoolean();

	private final long since = System.nanoTime();

	private volatile boolean interrupted;

	HandlerRun(ClaimedJob job, Settler settler) {
		this.job = job;
		this.settler = settler;
	}

	/**
	 * A handler that was interrupted by a stop is not to blame for its failure.
	 */
	void finish(Outcome outcome) {
		boolean excused = this.interrupted && !(outcome instanceof Completed);
		settle(excused ? released() : outcome);
	}

	boolean hasBegunBefore(long nanoTime) {
		return this.since - nanoTime < 0;
	}

	void interrupt() {
		this.interrupted = true;
		this.thread.interrupt();
	}

	void abandon() {
		settle(released());
	}

	private void settle(Outcome outcome) {
		if (this.settled.compareAndSet(false, true)) {
			this.settler.submit(this.job, outcome);
		}
	}

	private Released released() {
		return new Released(this.job.id(), this.job.claim());
	}

}
