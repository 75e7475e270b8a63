package io.jobqueue.worker.execution;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobQueueException;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.BoundTransactions;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.JobStore;
import io.jobqueue.store.JobStore.CompletionResult;
import io.jobqueue.store.Outcome.Completed;

/**
 * Completes a job with the last statement before the commit, so that its row is locked
 * only until then. If the worker has lost the claim, the transaction does not commit.
 */
final class FencedCompletion implements TransactionSynchronization {

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final Completed completion;

	private final JobExecution execution;

	private final TransactionStatus transaction;

	private final BoundTransactions transactions;

	private @Nullable CompletionResult written;

	private @Nullable Throwable failure;

	private boolean committed;

	FencedCompletion(UUID worker, JobStore store, JobSignals signals, Completed completion, JobExecution execution,
			TransactionStatus transaction, BoundTransactions transactions) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.completion = completion;
		this.execution = execution;
		this.transaction = transaction;
		this.transactions = transactions;
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
		try {
			this.transaction.flush();
			this.written = complete();
		}
		catch (RuntimeException | Error ex) {
			this.failure = ex;
			throw ex;
		}
	}

	private CompletionResult complete() {
		if (this.transactions.isMoved()) {
			throw new JobQueueException("The transaction of %s %s: nothing of it is committed"
				.formatted(this.execution.job(), BoundTransactions.MOVED));
		}
		if (!this.execution.isOver()) {
			CompletionResult completed = this.store.complete(this.worker, this.completion);
			if (!completed.jobs().isEmpty()) {
				return completed;
			}
		}
		ClaimedJob job = this.execution.job();
		throw new ClaimLostException(job.queue(), job.type(), job.id());
	}

	/**
	 * Unlike {@code afterCommit}, this is called even if another synchronization throws.
	 */
	@Override
	public void afterCompletion(int status) {
		this.committed = (status == STATUS_COMMITTED);
		if (this.committed && this.written != null) {
			this.signals.publish(this.written.available());
			this.signals.publishPredecessors(this.written.predecessors());
		}
	}

	UUID job() {
		return this.completion.id();
	}

	/**
	 * Return why the commit failed. A rollback that fails after the completion replaces
	 * the exception of that.
	 */
	Throwable reason(Throwable thrown) {
		if (this.failure == null) {
			return thrown;
		}
		if (this.failure != thrown) {
			this.failure.addSuppressed(thrown);
		}
		return this.failure;
	}

	boolean isCommitted() {
		return isPassed() && this.committed;
	}

	boolean isPassed() {
		return this.written != null;
	}

}
