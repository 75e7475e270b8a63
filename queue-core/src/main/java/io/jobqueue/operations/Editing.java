package io.jobqueue.operations;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.Priority;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Changed;
import io.jobqueue.store.FoundJob;
import io.jobqueue.store.OperationStore;

/**
 * Changes jobs where they are, or deletes them.
 */
final class Editing {

	private final OperationStore store;

	private final JobSignals signals;

	private final Refusals refusals;

	Editing(OperationParts parts) {
		this.store = parts.jobs();
		this.signals = parts.signals();
		this.refusals = new Refusals(parts.search());
	}

	void reschedule(UUID id, Instant runAt) {
		if (reschedule(List.of(id), runAt) == 0) {
			this.refusals.requireWaiting(id);
		}
	}

	long reschedule(Collection<UUID> jobs, Instant runAt) {
		return told(this.store.reschedule(jobs, runAt));
	}

	void reprioritise(UUID id, Priority priority) {
		if (reprioritise(List.of(id), priority) == 0) {
			FoundJob job = this.refusals.requireKnown(id);
			if (Refusals.isFinished(job)) {
				throw Refusals.refusal(job, Reason.FINISHED, "has finished: its priority does not matter any more");
			}
		}
	}

	long reprioritise(Collection<UUID> jobs, Priority priority) {
		return told(this.store.reprioritise(jobs, priority.value()));
	}

	void delete(UUID id) {
		List<UUID> job = List.of(id);
		if (told(this.store.delete(job)) + told(this.store.deleteArchived(job)) == 0) {
			throw Refusals.changing(this.refusals.requireNotRunning(id));
		}
	}

	/**
	 * Delete jobs where they were found: one that has finished since is another matter.
	 */
	long delete(Collection<FoundJob> jobs) {
		return told(this.store.delete(Refusals.ids(jobs, false)))
				+ told(this.store.deleteArchived(Refusals.ids(jobs, true)));
	}

	private long told(Changed changed) {
		if (!changed.arrivals().isEmpty()) {
			this.signals.publish(changed.arrivals());
		}
		return changed.jobs().size();
	}

}
