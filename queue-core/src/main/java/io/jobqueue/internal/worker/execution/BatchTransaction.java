package io.jobqueue.internal.worker.execution;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.BoundTransactions.BoundTransaction;
import io.jobqueue.internal.store.Outcome.Completed;

/**
 * The transaction of a call with several jobs: what the handler writes and the
 * completions of all jobs commit together. The last statement before the commit completes
 * the jobs.
 */
final class BatchTransaction {

	private static final Logger logger = LoggerFactory.getLogger(BatchTransaction.class);

	private final HandlerTransactions transactions;

	private final TransactionStatus status;

	private final @Nullable BoundTransaction tracked;

	private final Collection<JobExecution> jobs;

	/**
	 * Create a transaction that has begun.
	 * @param transactions completes jobs, commits and rolls back
	 * @param status the transaction
	 * @param tracked the transaction as the queue tracks it
	 * @param jobs the jobs of the call
	 */
	BatchTransaction(HandlerTransactions transactions, TransactionStatus status, @Nullable BoundTransaction tracked,
			Collection<JobExecution> jobs) {
		this.transactions = transactions;
		this.status = status;
		this.tracked = tracked;
		this.jobs = jobs;
		jobs.forEach((job) -> job.runsIn(tracked));
	}

	/**
	 * Call the handler; what it throws rolls the transaction back.
	 */
	<R> R call(Callable<R> handler) throws Throwable {
		try {
			return handler.call();
		}
		catch (Throwable ex) {
			this.transactions.end(this.status, this.tracked, ex);
			throw ex;
		}
	}

	void rollBack() {
		this.transactions.end(this.status, this.tracked, new UnexpectedRollbackException("A job has not succeeded"));
	}

	/**
	 * Complete the jobs and commit.
	 * @param completion returns the completion of a job
	 * @return the jobs on which the worker has lost its claim; unless there are none,
	 * nothing is committed
	 * @throws RuntimeException if nothing was committed
	 */
	Collection<JobExecution> commit(Function<JobExecution, Completed> completion) {
		FencedCompletions fence = fence(completion);
		try {
			this.transactions.end(this.status, this.tracked, null);
		}
		catch (RuntimeException | Error ex) {
			if (!fence.lost.isEmpty()) {
				logger.debug("The claims on {} were lost", fence.lost, ex);
				return fence.lost;
			}
			if (!fence.committed) {
				throw ex;
			}
			logger.error("{} jobs have succeeded, but a callback after the commit of their transaction failed",
					this.jobs.size(), ex);
		}
		if (!fence.committed) {
			throw new UnexpectedRollbackException("The handler's transaction was marked rollback-only");
		}
		return List.of();
	}

	/**
	 * Without the end, the transaction would stay bound to the thread.
	 */
	private FencedCompletions fence(Function<JobExecution, Completed> completion) {
		FencedCompletions fence = new FencedCompletions(completion);
		try {
			TransactionSynchronizationManager.registerSynchronization(fence);
			return fence;
		}
		catch (RuntimeException | Error ex) {
			this.transactions.end(this.status, this.tracked, ex);
			throw ex;
		}
	}

	/**
	 * Completes the jobs. If the worker has lost a claim, the transaction does not
	 * commit.
	 */
	private final class FencedCompletions implements TransactionSynchronization {

		private final Function<JobExecution, Completed> completion;

		private Collection<JobExecution> lost = List.of();

		private @Nullable CompletionResult written;

		private boolean committed;

		private FencedCompletions(Function<JobExecution, Completed> completion) {
			this.completion = completion;
		}

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		/**
		 * Without the flush, an object-relational mapper would write its pending changes
		 * after the completion.
		 */
		@Override
		public void beforeCommit(boolean readOnly) {
			BatchTransaction.this.status.flush();
			Collection<JobExecution> all = BatchTransaction.this.jobs;
			require(all.stream().filter((job) -> !job.isOver()).map(JobExecution::id).collect(Collectors.toSet()));
			CompletionResult completed = BatchTransaction.this.transactions
				.complete(all.stream().map(this.completion).toList());
			require(completed.jobs());
			this.written = completed;
		}

		private void require(Set<UUID> held) {
			this.lost = BatchTransaction.this.jobs.stream().filter((job) -> !held.contains(job.id())).toList();
			for (JobExecution job : this.lost) {
				throw job.lost();
			}
		}

		/**
		 * Unlike {@code afterCommit}, this is called even if another synchronization
		 * throws.
		 */
		@Override
		public void afterCompletion(int status) {
			this.committed = (status == STATUS_COMMITTED);
			BoundTransaction transaction = BatchTransaction.this.tracked;
			if (this.committed && this.written != null) {
				BatchTransaction.this.transactions.publish(this.written);
			}
			else if (status == STATUS_UNKNOWN && this.written == null && transaction != null) {
				transaction.rollBack();
			}
		}

	}

}
