package io.jobqueue.internal.operations;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import io.jobqueue.JobOperationException;
import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobState;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Checks the state of jobs, and creates the exceptions for operations that the state does
 * not allow.
 */
final class OperationErrors {

	private final SearchStore search;

	OperationErrors(SearchStore search) {
		this.search = search;
	}

	/**
	 * Return a job that waits.
	 * @throws JobOperationException if it is unknown, running or finished
	 */
	FoundJob requireWaiting(UUID id) {
		FoundJob job = requireNotRunning(id);
		if (isFinished(job)) {
			throw error(job, Reason.FINISHED, "has finished: retry it to run it again, or replay it to run a copy");
		}
		return job;
	}

	/**
	 * Return a job that waits or has finished.
	 * @throws JobOperationException if it is unknown or running
	 */
	FoundJob requireNotRunning(UUID id) {
		FoundJob job = requireKnown(id);
		if (job.state() == JobState.RUNNING || job.details().cancelRequested()) {
			throw error(job, Reason.RUNNING, "is running or being cancelled: wait until it ends, or cancel it");
		}
		return job;
	}

	FoundJob requireFinished(UUID id) {
		FoundJob job = requireKnown(id);
		if (!isFinished(job)) {
			throw error(job, Reason.UNFINISHED, "has not finished: only archived jobs can be replayed");
		}
		return job;
	}

	FoundJob requireKnown(UUID id) {
		FoundJob job = this.search.find(id);
		if (job == null) {
			throw JobOperationException.unknown(id);
		}
		return job;
	}

	static JobOperationException changing(FoundJob job) {
		return error(job, Reason.RUNNING, "was changed by another transaction at the same time: try again");
	}

	static JobOperationException keyTaken(FoundJob job, UUID holder) {
		return error(job, Reason.KEY_TAKEN,
				"cannot be retried: job %s has its unique key. Wait until that job ends, or delete it"
					.formatted(holder));
	}

	static JobOperationException error(FoundJob job, Reason reason, String why) {
		return new JobOperationException(job.id(), reason,
				"Job %s of type '%s' in queue '%s' %s".formatted(job.id(), job.type(), job.tier().queue(), why));
	}

	static boolean isFinished(FoundJob job) {
		return job.state().isFinished();
	}

	/**
	 * Return the ids of the finished jobs, or of the unfinished ones.
	 */
	static List<UUID> ids(Collection<FoundJob> jobs, boolean finished) {
		return jobs.stream().filter((job) -> isFinished(job) == finished).map(FoundJob::id).toList();
	}

}
