package io.jobqueue.operations;

import java.util.UUID;

import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.store.FoundJob;

/**
 * Runs a job where it is asked for.
 */
final class Running {

	private final RunHere here;

	private final Refusals refusals;

	private final OperatorLog log;

	Running(OperationParts parts, OperatorLog log) {
		this.log = log;
		this.here = parts.here();
		this.refusals = new Refusals(parts.search());
	}

	void run(UUID id) throws Throwable {
		FoundJob job = this.refusals.requireWaiting(id);
		this.log.done("run", id);
		boolean keyed = job.details().orderingKey() != null || job.details().limitKey() != null;
		if (!this.here.run(id, job.tier().queue(), job.type(), keyed)) {
			throw Refusals.refusal(this.refusals.requireWaiting(id), Reason.BLOCKED,
					"waits for others, or for room within a limit of its queue: run it when these have ended");
		}
	}

}
