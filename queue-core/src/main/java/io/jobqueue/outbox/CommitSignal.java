package io.jobqueue.outbox;

import java.time.Duration;
import java.util.Collection;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Tells those who wait for work of jobs that were committed.
 */
final class CommitSignal implements Runnable {

	private final JobSignals signals;

	private final Collection<JobsAvailable> written;

	private final long since = System.nanoTime();

	CommitSignal(JobSignals signals, Collection<JobsAvailable> written) {
		this.signals = signals;
		this.written = written;
	}

	/**
	 * The time until a job is due began with its statement, not with the commit.
	 */
	@Override
	public void run() {
		Duration elapsed = Duration.ofNanos(System.nanoTime() - this.since);
		this.signals.publish(this.written.stream().map((arrival) -> arrival.after(elapsed)).toList());
	}

}
