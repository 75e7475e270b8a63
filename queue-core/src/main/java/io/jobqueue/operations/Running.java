package io.jobqueue.operations;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.UUID;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQueueException;
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

	/**
	 * The outcome is written on another connection. Whoever waits for that with one in
	 * hand may have the last.
	 */
	void run(UUID id) throws Exception {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new JobQueueException(
					"Job %s cannot be run within a transaction, which it would be no part of: run it after the commit"
						.formatted(id));
		}
		try {
			claimAndRun(id);
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new UndeclaredThrowableException(ex);
		}
	}

	private void claimAndRun(UUID id) throws Throwable {
		FoundJob job = this.refusals.requireWaiting(id);
		boolean keyed = job.details().orderingKey() != null || job.details().limitKey() != null;
		if (!this.here.run(id, job.tier().queue(), job.type(), keyed, () -> this.log.done(Operation.of("run"), id))) {
			throw Refusals.refusal(this.refusals.requireWaiting(id), Reason.BLOCKED,
					"waits for others, for room within a limit of its queue, or for whoever has it locked: run it when these have ended");
		}
	}

}
