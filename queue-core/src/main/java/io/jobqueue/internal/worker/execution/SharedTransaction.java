package io.jobqueue.internal.worker.execution;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.JobResult;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.BoundTransactions.BoundTransaction;
import io.jobqueue.internal.store.Causes;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.Outcome.Completed;

/**
 * A transaction in which several handlers run one after the other. A handler that fails
 * is rolled back to the savepoint before it; the jobs of the others are completed by the
 * last statement before the commit.
 */
final class SharedTransaction implements JobTransaction, TransactionSynchronization {

	private static final Logger logger = LoggerFactory.getLogger(SharedTransaction.class);

	/**
	 * The class of serialization failures and deadlocks, which another try of the same
	 * statements may not have.
	 */
	private static final String TRANSACTION_ROLLBACK = "40";

	private final HandlerTransactions transactions;

	private final TransactionStatus status;

	private final @Nullable BoundTransaction tracked;

	private final Scope scope;

	private final Savepoint savepoint;

	private final List<Part> parts = new ArrayList<>();

	private @Nullable Throwable failure;

	private @Nullable CompletionResult written;

	private Consumer<Set<UUID>> completed = (jobs) -> {
	};

	private boolean committed;

	/**
	 * Create a transaction that has begun.
	 * @param transactions completes jobs, commits and rolls back
	 * @param status the transaction
	 * @param tracked the transaction as the queue tracks it
	 * @param scope calls callbacks in the context of their job
	 */
	SharedTransaction(HandlerTransactions transactions, TransactionStatus status, @Nullable BoundTransaction tracked,
			Scope scope) {
		this.transactions = transactions;
		this.status = status;
		this.tracked = tracked;
		this.scope = scope;
		this.savepoint = (Savepoint) status.createSavepoint();
		TransactionSynchronizationManager.registerSynchronization(this);
	}

	@Override
	public JobResult run(Handler handler, Function<JobResult.Success, Completed> completion, JobExecution execution)
			throws Throwable {
		Part part = new Part(execution);
		this.parts.add(part);
		execution.runsIn(this.tracked);
		try {
			JobResult result = handler.handle();
			if (result instanceof JobResult.Success success) {
				keep(part, completion.apply(success));
			}
			else {
				undo(part);
			}
			return result;
		}
		catch (Throwable ex) {
			undo(part, ex);
			throw ex;
		}
	}

	/**
	 * Without the flush, an object-relational mapper would write pending changes in the
	 * part of another job.
	 */
	private void keep(Part part, Completed completion) throws SQLException {
		part.callbacks.beforeCommit();
		this.status.flush();
		part.callbacks.detach();
		if (this.status.isRollbackOnly()) {
			this.failure = rollbackOnly();
		}
		else {
			this.transactions.renewSavepoint(this.savepoint.getSavepointName());
			part.completion = completion;
		}
	}

	/**
	 * What is rolled back to the savepoint takes a rollback-only mark along.
	 */
	private void undo(Part part) {
		part.callbacks.detach();
		this.status.rollbackToSavepoint(this.savepoint);
	}

	private void undo(Part part, Throwable cause) {
		try {
			undo(part);
			this.failure = isOfTheTransaction(cause) ? cause : null;
		}
		catch (RuntimeException | Error ex) {
			cause.addSuppressed(ex);
			this.failure = cause;
		}
	}

	private static boolean isOfTheTransaction(Throwable cause) {
		SQLException answer = FailureText.answer(cause);
		String state = (answer != null) ? answer.getSQLState() : null;
		return (state != null && state.startsWith(TRANSACTION_ROLLBACK))
				|| Causes.of(cause).stream().anyMatch(TransactionTimedOutException.class::isInstance);
	}

	/**
	 * Return whether a further handler may run in the transaction.
	 */
	boolean isIntact() {
		return this.failure == null;
	}

	/**
	 * Note that the transaction must not commit.
	 */
	void fail(Throwable cause) {
		this.failure = cause;
	}

	/**
	 * Complete the jobs and commit, unless the transaction has failed. It has ended after
	 * this call.
	 * @param completed takes the ids of the completed jobs after the commit, before
	 * callbacks of the application
	 * @return why nothing was committed, {@code null} if it was
	 */
	@Nullable Throwable end(Consumer<Set<UUID>> completed) {
		this.completed = completed;
		try {
			this.transactions.end(this.status, this.tracked, this.failure);
		}
		catch (RuntimeException | Error ex) {
			this.failure = ex;
		}
		if (!this.committed) {
			return (this.failure != null) ? this.failure : rollbackOnly();
		}
		if (this.failure != null) {
			logger.error("Jobs have succeeded, but a callback after the commit of their transaction failed",
					this.failure);
		}
		return null;
	}

	private static UnexpectedRollbackException rollbackOnly() {
		return new UnexpectedRollbackException("The handler's transaction was marked rollback-only");
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	@Override
	public void beforeCommit(boolean readOnly) {
		this.parts.forEach((part) -> requireClaim(part, !part.execution.isOver()));
		List<Part> succeeded = this.parts.stream().filter((part) -> part.completion != null).toList();
		if (!succeeded.isEmpty()) {
			CompletionResult completed = this.transactions.complete(succeeded.stream().map(Part::completion).toList());
			succeeded.forEach((part) -> requireClaim(part, completed.jobs().contains(part.execution.id())));
			this.written = completed;
		}
	}

	private static void requireClaim(Part part, boolean held) {
		if (!held) {
			throw part.execution.lost();
		}
	}

	/**
	 * An exception of one job's callback must not skip those of the others, and what
	 * follows their completion must not wait for a callback that hangs.
	 */
	@Override
	public void afterCommit() {
		follow();
		forEachWithCallbacks((part) -> {
			if (part.completion != null) {
				afterCommit(part);
			}
		});
	}

	private void follow() {
		CompletionResult ended = this.written;
		this.written = null;
		if (ended != null) {
			this.completed.accept(ended.jobs());
			this.transactions.publish(ended);
		}
	}

	private static void afterCommit(Part part) {
		try {
			part.callbacks.afterCommit();
		}
		catch (RuntimeException | Error ex) {
			logger.error("Job {} succeeded, but a callback after its commit failed", part.execution.id(), ex);
		}
	}

	/**
	 * Unlike {@code afterCommit}, this is called even if another synchronization throws.
	 */
	@Override
	public void afterCompletion(int status) {
		this.committed = (status == STATUS_COMMITTED);
		if (this.committed) {
			follow();
		}
		else if (status == STATUS_UNKNOWN && this.written == null && this.tracked != null) {
			this.tracked.rollBack();
		}
		forEachWithCallbacks(
				(part) -> part.callbacks.afterCompletion((part.completion != null) ? status : STATUS_ROLLED_BACK));
	}

	private void forEachWithCallbacks(Consumer<Part> action) {
		for (Part part : this.parts) {
			if (!part.callbacks.isEmpty()) {
				this.scope.run(part.execution, () -> action.accept(part));
			}
		}
	}

	/**
	 * Runs code in the context of a job.
	 */
	@FunctionalInterface
	interface Scope {

		void run(JobExecution execution, Runnable code);

	}

	/**
	 * What one job does in the transaction. It has a completion if its handler has
	 * succeeded and is not rolled back.
	 */
	private static final class Part {

		private final JobExecution execution;

		private final JobCallbacks callbacks = new JobCallbacks();

		private @Nullable Completed completion;

		private Part(JobExecution execution) {
			this.execution = execution;
		}

		private Completed completion() {
			return Objects.requireNonNull(this.completion);
		}

	}

}
