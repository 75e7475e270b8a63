package io.jobqueue.outbox;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

import org.springframework.transaction.support.TransactionSynchronization;

import io.jobqueue.store.Arrival;
import io.jobqueue.signal.JobSignals;

/**
 * Tells of jobs once they are committed.
 */
final class CommitSignal implements TransactionSynchronization {

	private static final Duration UNTIL_CLEANED_UP = Duration.ofMillis(50);

	private final JobSignals signals;

	private final Collection<Arrival> committed;

	private boolean told;

	CommitSignal(JobSignals signals, Collection<Arrival> committed) {
		this.signals = signals;
		this.committed = committed;
	}

	@Override
	public void afterCommit() {
		this.told = true;
		this.signals.publish(this.committed);
	}

	/**
	 * What other synchronizations enqueue after the commit is committed only when the
	 * connection is cleaned up, right after this call.
	 */
	@Override
	public void afterCompletion(int status) {
		if (status == STATUS_COMMITTED && !this.told) {
			this.signals.publish(later());
		}
	}

	private List<Arrival> later() {
		return this.committed.stream()
			.map((signal) -> new Arrival(signal.tier(), signal.position(), signal.dueIn().plus(UNTIL_CLEANED_UP)))
			.toList();
	}

}
