package io.jobqueue.test;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

import io.jobqueue.JobQueueException;
import io.jobqueue.internal.worker.execution.JobRunner.Result;

/**
 * Calls handlers within the transaction of a test, each in a savepoint. A transaction
 * manager without savepoints cannot undo what a failed handler wrote, so that the test's
 * transaction is marked rollback-only.
 */
final class HandlerSavepoint {

	private static final Logger logger = LoggerFactory.getLogger(HandlerSavepoint.class);

	static final String NONE = "The transaction manager has no savepoints";

	private final PlatformTransactionManager manager;

	HandlerSavepoint(PlatformTransactionManager manager) {
		this.manager = manager;
	}

	/**
	 * @return the savepoint, {@code null} if there are none
	 */
	private @Nullable TransactionStatus create() {
		try {
			return this.manager
				.getTransaction(new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NESTED));
		}
		catch (NestedTransactionNotSupportedException ex) {
			logger.debug(NONE, ex);
			return null;
		}
	}

	/**
	 * Refuse a transaction manager without savepoints.
	 */
	void require(String what) {
		TransactionStatus savepoint = create();
		if (savepoint == null) {
			throw new JobQueueException(
					"%s, which %s needs in the transaction of a test: run this test without one".formatted(NONE, what));
		}
		this.manager.commit(savepoint);
	}

	Result call(Supplier<Result> handler) {
		TransactionStatus savepoint = create();
		return (savepoint != null) ? within(savepoint, handler) : withoutSavepoint(handler.get());
	}

	private Result within(TransactionStatus savepoint, Supplier<Result> handler) {
		Result result = handler.get();
		if (result.thrown() != null || savepoint.isRollbackOnly()) {
			rollBack(savepoint, result.thrown());
		}
		else {
			this.manager.commit(savepoint);
		}
		return result;
	}

	/**
	 * The rollback fails if the handler has ended the transaction or its connection.
	 */
	private void rollBack(TransactionStatus savepoint, @Nullable Throwable thrown) {
		try {
			this.manager.rollback(savepoint);
		}
		catch (RuntimeException ex) {
			if (thrown != null) {
				ex.addSuppressed(thrown);
			}
			throw ex;
		}
	}

	private Result withoutSavepoint(Result result) {
		Throwable thrown = result.thrown();
		if (thrown != null) {
			TransactionStatus joined = this.manager.getTransaction(TransactionDefinition.withDefaults());
			joined.setRollbackOnly();
			this.manager.rollback(joined);
			thrown.addSuppressed(
					new JobQueueException(NONE + ", so that the transaction of the test is marked rollback-only"));
		}
		return result;
	}

}
