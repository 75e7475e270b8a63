package io.jobqueue.internal.operations;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobOperationException.Reason;
import io.jobqueue.JobQueueException;
import io.jobqueue.internal.operations.AuditLog.Operation;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.ObstacleStore;
import io.jobqueue.internal.store.ObstacleStore.BlockedBy;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.SearchStore.FoundJob;

/**
 * Runs a job on the calling thread.
 */
final class LocalRun {

	private final LocalRunner runner;

	private final ObstacleStore store;

	private final OperationErrors errors;

	private final OperatorLogStore operatorLog;

	private final AuditLog log;

	LocalRun(OperationServices services, AuditLog log) {
		this.log = log;
		this.operatorLog = services.operatorLog();
		this.runner = services.runner();
		this.store = services.obstacles();
		this.errors = new OperationErrors(services.search());
	}

	/**
	 * Within a transaction of the caller, the caller would hold a connection while the
	 * outcome waits for another one, which a full pool never supplies.
	 */
	void run(UUID id) throws Exception {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new JobQueueException(
					"Job %s cannot be run within a transaction: it would not be part of it. Run it after the commit"
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
		FoundJob job = this.errors.requireWaiting(id);
		boolean keyed = job.details().orderingKey() != null || job.details().limitKey() != null;
		if (!this.runner.run(id, job.tier().queue(), job.type(), keyed, () -> begin(id))) {
			throw OperationErrors.error(this.errors.requireWaiting(id), Reason.BLOCKED,
					reason(this.store.blockedBy(id)));
		}
	}

	private void begin(UUID id) {
		LoggedOperation run = this.log.operation(Operation.of("run"), id);
		this.operatorLog.add(run);
		this.log.done(run);
	}

	private static String reason(@Nullable BlockedBy blockedBy) {
		return switch ((blockedBy != null) ? blockedBy : BlockedBy.LIMIT) {
			case EXPIRY -> "has expired and is about to be cancelled: retry it when it is";
			case KEY -> "follows another job with its unique key: run it when that job has ended";
			case PREDECESSOR -> "waits for its predecessors: run it when they have ended, or release it before";
			case FAILED_PREDECESSOR ->
				"waits for a predecessor that has failed: retry the one that 'failedPredecessors' of its details names, or release this job";
			case BATCH ->
				"is a callback of a batch that has not finished: it runs when the batch is sealed and all its jobs have ended";
			case ORDER ->
				"waits for another job with its ordering key: run it when that job has ended, or, if 'dead-head' is hold, has left the archive";
			case SLOT -> "has no free slot for its limit key: run it when another job with that key has ended";
			case LOCK -> "is locked by another transaction: run it when that transaction has ended";
			case LIMIT ->
				"would exceed 'cluster-concurrency' or 'rate' of its queue: run it when other jobs of the queue have ended, or in the next period of the rate";
		};
	}

}
