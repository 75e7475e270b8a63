package io.jobqueue.operations;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.Priority;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.OperationStore.ChangeResult;
import io.jobqueue.store.SearchStore.FoundJob;

/**
 * Changes jobs where they are, or deletes them.
 */
final class JobChanges {

	private final OperationStore store;

	private final JobSignals signals;

	private final OperationErrors refusals;

	JobChanges(OperationParts parts) {
		this.store = parts.jobs();
		this.signals = parts.signals();
		this.refusals = new OperationErrors(parts.search());
	}

	long reschedule(UUID id, Instant runAt) {
		long rescheduled = reschedule(List.of(id), runAt);
		if (rescheduled == 0) {
			this.refusals.requireWaiting(id);
		}
		return rescheduled;
	}

	long reschedule(Collection<UUID> jobs, Instant runAt) {
		return told(this.store.reschedule(jobs, runAt));
	}

	long reprioritise(UUID id, Priority priority) {
		long reprioritised = reprioritise(List.of(id), priority);
		if (reprioritised == 0) {
			FoundJob job = this.refusals.requireKnown(id);
			if (OperationErrors.isFinished(job)) {
				throw OperationErrors.refusal(job, Reason.FINISHED, "has finished: its priority can no longer change");
			}
		}
		return reprioritised;
	}

	long reprioritise(Collection<UUID> jobs, Priority priority) {
		return told(this.store.reprioritise(jobs, priority.value()));
	}

	long delete(UUID id) {
		List<UUID> job = List.of(id);
		long deleted = told(this.store.delete(job));
		if (deleted == 0 && told(this.store.deleteArchived(job)) == 0) {
			throw OperationErrors.changing(this.refusals.requireNotRunning(id));
		}
		return 1;
	}

	/**
	 * Delete jobs where they were found: one that has finished since is another matter.
	 */
	long delete(Collection<FoundJob> jobs) {
		return told(this.store.delete(OperationErrors.ids(jobs, false)))
				+ told(this.store.deleteArchived(OperationErrors.ids(jobs, true)));
	}

	private long told(ChangeResult changed) {
		if (!changed.available().isEmpty()) {
			this.signals.publish(changed.available());
		}
		return changed.jobs().size();
	}

}
