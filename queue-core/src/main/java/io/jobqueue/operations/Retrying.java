package io.jobqueue.operations;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobState;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.OperationStore.ChangeResult;
import io.jobqueue.store.SearchStore.FoundJob;

/**
 * Has jobs run again: the same ones, with all their attempts.
 */
final class Retrying {

	private final OperationStore store;

	private final JobSignals signals;

	private final OperationErrors refusals;

	Retrying(OperationParts parts) {
		this.store = parts.jobs();
		this.signals = parts.signals();
		this.refusals = new OperationErrors(parts.search());
	}

	long retry(UUID id) {
		FoundJob job = this.refusals.requireNotRunning(id);
		if (job.state() == JobState.SUCCEEDED) {
			throw OperationErrors.refusal(job, Reason.FINISHED, "has succeeded: replay it to run a copy");
		}
		ChangeResult changed = retried(job);
		if (changed.holders().containsKey(id)) {
			throw OperationErrors.keyTaken(job, changed.holders().get(id));
		}
		if (changed.jobs().isEmpty()) {
			throw notRetried(job);
		}
		return changed.jobs().size();
	}

	private ChangeResult retried(FoundJob job) {
		return told(OperationErrors.isFinished(job) ? this.store.revive(List.of(job.id()))
				: this.store.retry(List.of(job.id())));
	}

	private static RuntimeException notRetried(FoundJob job) {
		return (job.attempts() == 0 && !OperationErrors.isFinished(job))
				? OperationErrors.refusal(job, Reason.UNFINISHED, "has not started yet: reschedule it to run it now")
				: OperationErrors.changing(job);
	}

	/**
	 * Retry those that can be.
	 * @return how many these are
	 */
	long retry(Collection<FoundJob> jobs) {
		ChangeResult live = told(this.store.retry(OperationErrors.ids(jobs, false)));
		ChangeResult archived = told(this.store.revive(OperationErrors.ids(jobs, true)));
		return (long) live.jobs().size() + archived.jobs().size();
	}

	private ChangeResult told(ChangeResult changed) {
		if (!changed.available().isEmpty()) {
			this.signals.publish(changed.available());
		}
		return changed;
	}

}
