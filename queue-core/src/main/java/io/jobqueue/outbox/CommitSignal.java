package io.jobqueue.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.springframework.transaction.support.TransactionSynchronization;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Arrival;

/**
 * Tells of jobs once they are committed.
 */
final class CommitSignal implements TransactionSynchronization {

	private static final Duration UNTIL_CLEANED_UP = Duration.ofMillis(50);

	private final JobSignals signals;

	private final Collection<Arrival> written;

	private final long since = System.nanoTime();

	private boolean told;

	CommitSignal(JobSignals signals, Collection<Arrival> written) {
		this.signals = signals;
		this.written = written;
	}

	@Override
	public void afterCommit() {
		this.told = true;
		tell();
	}

	/**
	 * What other synchronizations enqueue after the commit is committed only when the
	 * connection is cleaned up, right after this call.
	 */
	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_COMMITTED && !this.told) {
			CompletableFuture.delayedExecutor(UNTIL_CLEANED_UP.toMillis(), TimeUnit.MILLISECONDS).execute(this::tell);
		}
	}

	/**
	 * The time until a job is due began with its statement, not with the commit.
	 */
	private void tell() {
		Duration elapsed = Duration.ofNanos(System.nanoTime() - this.since);
		this.signals.publish(this.written.stream().map((arrival) -> arrival.after(elapsed)).toList());
	}

}
