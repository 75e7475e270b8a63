package io.jobqueue.internal.worker.execution;

import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.Ordered;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobQueueException;
import io.jobqueue.JobResult;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.BoundTransactions;
import io.jobqueue.internal.store.BoundTransactions.BoundTransaction;
import io.jobqueue.internal.store.BoundTransactions.QueueSynchronization;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.Outcome.Completed;

/**
 * Runs transactional handlers: what a handler writes and the completion of its job commit
 * in one transaction.
 */
public final class HandlerTransactions implements JobTransaction {

	private static final Logger logger = LoggerFactory.getLogger(HandlerTransactions.class);

	private final UUID worker;

	private final JobStore store;

	private final JobSignals signals;

	private final PlatformTransactionManager manager;

	private final BoundTransactions bound;

	private final JoinedCommit joinedCommit;

	/**
	 * Create the transactions of one worker.
	 * @param worker the id of the worker
	 * @param store the store of jobs
	 * @param signals publishes wake-ups
	 * @param manager the transaction manager of the application
	 * @param bound the transactions on the data source of the queue
	 */
	public HandlerTransactions(UUID worker, JobStore store, JobSignals signals, PlatformTransactionManager manager,
			BoundTransactions bound) {
		this.worker = worker;
		this.store = store;
		this.signals = signals;
		this.manager = manager;
		this.bound = bound;
		this.joinedCommit = new JoinedCommit(manager);
	}

	/**
	 * Begin a transaction for several handlers.
	 * @param scope calls callbacks after its end in the context of their job
	 * @throws RuntimeException if it could not begin
	 */
	SharedTransaction share(SharedTransaction.Scope scope) {
		return begin((transaction, tracked) -> new SharedTransaction(this, transaction, tracked, scope));
	}

	/**
	 * Begin a transaction for a call with several jobs.
	 * @throws RuntimeException if it could not begin
	 */
	BatchTransaction begin(Collection<JobExecution> jobs) {
		return begin((transaction, tracked) -> new BatchTransaction(this, transaction, tracked, jobs));
	}

	private <T> T begin(BiFunction<TransactionStatus, @Nullable BoundTransaction, T> beginning) {
		TransactionStatus transaction = this.manager
			.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_REQUIRES_NEW));
		BoundTransaction tracked = this.bound.track(transaction);
		try {
			permitAbort(tracked);
			return beginning.apply(transaction, tracked);
		}
		catch (RuntimeException | Error ex) {
			rollBack(transaction, ex);
			release(tracked);
			throw ex;
		}
	}

	/**
	 * Run a handler in a transaction, which commits only for a {@link JobResult.Success}.
	 * A transaction that the handler joins, which only happens in tests, ends later. The
	 * job is completed on the connection on which the transaction began.
	 * @throws UnexpectedRollbackException if the transaction was marked rollback-only
	 * @throws CannotCreateTransactionException if the transaction could not begin
	 */
	@Override
	public JobResult run(Handler handler, Function<JobResult.Success, Completed> completion, JobExecution execution)
			throws Throwable {
		TransactionStatus transaction = this.manager.getTransaction(TransactionDefinition.withDefaults());
		BoundTransaction tracked = this.bound.track(transaction);
		try {
			return run(() -> {
				permitAbort(tracked);
				execution.runsIn(tracked);
				return handler.handle();
			}, completion, execution, transaction);
		}
		finally {
			release(tracked);
		}
	}

	private static void permitAbort(@Nullable BoundTransaction tracked) {
		if (tracked != null) {
			tracked.permitAbort();
		}
	}

	private void release(@Nullable BoundTransaction tracked) {
		if (tracked != null) {
			this.bound.release(tracked);
		}
	}

	/**
	 * End a transaction that several jobs share.
	 * @param failure why it must be rolled back, {@code null} to commit it
	 * @throws RuntimeException if the commit or a callback after it fails
	 */
	void end(TransactionStatus transaction, @Nullable BoundTransaction tracked, @Nullable Throwable failure) {
		try {
			if (failure != null) {
				rollBack(transaction, failure);
			}
			else {
				this.manager.commit(transaction);
			}
		}
		finally {
			release(tracked);
		}
	}

	/**
	 * Complete jobs at the end of a transaction.
	 * @return the result; jobs on which the worker has lost its claim are missing in it
	 */
	CompletionResult complete(List<Completed> completions) {
		if (this.bound.isMoved()) {
			throw new JobQueueException("The transaction of %s jobs %s: nothing of it is committed"
				.formatted(completions.size(), BoundTransactions.MOVED));
		}
		return this.store.completeAll(this.worker, completions);
	}

	void renewSavepoint(String name) {
		this.store.renewSavepoint(name);
	}

	void publish(CompletionResult written) {
		this.signals.publish(written.available());
		this.signals.publishPredecessors(written.predecessors());
	}

	private JobResult run(Handler handler, Function<JobResult.Success, Completed> completion, JobExecution execution,
			TransactionStatus transaction) throws Throwable {
		JobResult result = call(handler, transaction);
		if (result instanceof JobResult.Success success) {
			commit(transaction, fence(() -> completion.apply(success), execution, transaction));
		}
		else {
			rollBack(transaction, execution.job());
		}
		return result;
	}

	private JobResult call(Handler handler, TransactionStatus transaction) throws Throwable {
		try {
			return handler.handle();
		}
		catch (Throwable ex) {
			rollBack(transaction, ex);
			throw ex;
		}
	}

	/**
	 * Where a handler has cleared the synchronizations of its thread, a rollback fails
	 * before it begins, and the end of the transaction would commit.
	 */
	private void rollBack(TransactionStatus transaction) {
		if (transaction instanceof DefaultTransactionStatus status && status.isNewSynchronization()
				&& !TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.initSynchronization();
		}
		this.manager.rollback(transaction);
	}

	private void rollBack(TransactionStatus transaction, Throwable failure) {
		try {
			rollBack(transaction);
		}
		catch (RuntimeException | Error ex) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * A failure is only logged, as the database rolls back what is not committed.
	 */
	private void rollBack(TransactionStatus transaction, ClaimedJob job) {
		try {
			rollBack(transaction);
		}
		catch (RuntimeException | Error ex) {
			logger.warn(
					"Could not roll back the transaction of {}; the database rolls it back when its connection is closed",
					job, ex);
		}
	}

	/**
	 * Without the rollback, the transaction would stay bound to the thread, and later
	 * handlers would join it.
	 */
	private FencedCompletion fence(Supplier<Completed> completion, JobExecution execution,
			TransactionStatus transaction) {
		try {
			FencedCompletion fence = new FencedCompletion(completion.get(), execution, transaction);
			if (transaction.isNewTransaction()) {
				TransactionSynchronizationManager.registerSynchronization(fence);
			}
			else if (!transaction.isRollbackOnly()) {
				fence.beforeCommit(false);
			}
			return fence;
		}
		catch (RuntimeException | Error ex) {
			rollBack(transaction, ex);
			throw ex;
		}
	}

	private void commit(TransactionStatus transaction, FencedCompletion fence) throws Throwable {
		try {
			this.manager.commit(transaction);
		}
		catch (RuntimeException | Error ex) {
			if (!fence.isCommitted()) {
				throw fence.reason(ex);
			}
			logger.error("Job {} succeeded, but a callback after its commit failed", fence.completion.id(), ex);
		}
		if (fence.written == null) {
			throw new UnexpectedRollbackException("The handler's transaction was marked rollback-only");
		}
	}

	/**
	 * Completes a job with the last statement before the commit, so that its row is
	 * locked only until then; the commit may be part of it. If the worker has lost the
	 * claim, the transaction does not commit.
	 */
	private final class FencedCompletion implements QueueSynchronization {

		private final Completed completion;

		private final JobExecution execution;

		private final TransactionStatus transaction;

		private @Nullable CompletionResult written;

		private @Nullable Throwable failure;

		private boolean committed;

		private FencedCompletion(Completed completion, JobExecution execution, TransactionStatus transaction) {
			this.completion = completion;
			this.execution = execution;
			this.transaction = transaction;
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
			if (HandlerTransactions.this.bound.isMoved()) {
				throw new JobQueueException("The transaction of %s %s: nothing of it is committed"
					.formatted(this.execution, BoundTransactions.MOVED));
			}
			if (!this.execution.isOver()) {
				CompletionResult completed = write();
				if (!completed.jobs().isEmpty()) {
					return completed;
				}
			}
			throw this.execution.lost();
		}

		private CompletionResult write() {
			JobStore jobs = HandlerTransactions.this.store;
			UUID claimant = HandlerTransactions.this.worker;
			if (!this.transaction.isNewTransaction() || !HandlerTransactions.this.joinedCommit.isPossible()) {
				return jobs.complete(claimant, this.completion);
			}
			BoundTransaction committing = this.execution.runsIn();
			if (committing != null) {
				committing.forbidAbort();
			}
			return jobs.completeAndCommit(claimant, this.completion);
		}

		/**
		 * Unlike {@code afterCommit}, this is called even if another synchronization
		 * throws.
		 */
		@Override
		public void afterCompletion(int status) {
			this.committed = (status == STATUS_COMMITTED);
			if (this.committed && this.written != null) {
				publish(this.written);
			}
			BoundTransaction tracked = this.execution.runsIn();
			if (status == STATUS_UNKNOWN && this.written == null && tracked != null) {
				tracked.rollBack();
			}
		}

		/**
		 * Return why the commit failed. A rollback that fails after the completion
		 * replaces the exception of that.
		 */
		private Throwable reason(Throwable thrown) {
			if (this.failure == null) {
				return thrown;
			}
			if (this.failure != thrown) {
				this.failure.addSuppressed(thrown);
			}
			return this.failure;
		}

		private boolean isCommitted() {
			return this.written != null && this.committed;
		}

	}

}
