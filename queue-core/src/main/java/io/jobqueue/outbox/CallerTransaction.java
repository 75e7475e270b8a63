package io.jobqueue.outbox;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobRejectedException;

/**
 * The way into the caller's transaction, or into one of its own where there is none.
 */
public final class CallerTransaction {

	private final TransactionTemplate template;

	/**
	 * Create the way into transactions.
	 * @param transactionManager the manager of the callers' transactions
	 * @param required whether to refuse a caller without a transaction
	 */
	public CallerTransaction(PlatformTransactionManager transactionManager, boolean required) {
		this.template = new TransactionTemplate(transactionManager);
		this.template.setPropagationBehavior(
				required ? TransactionDefinition.PROPAGATION_MANDATORY : TransactionDefinition.PROPAGATION_REQUIRED);
	}

	/**
	 * Do something in the transaction.
	 */
	<T> T call(Supplier<T> work) {
		return within((status) -> work.get());
	}

	/**
	 * Do something around what is written in the transaction. Whatever it throws takes
	 * along what was written; where nothing was, the caller's transaction stays usable.
	 * @param written whether anything was written
	 */
	<T> T callAround(Supplier<T> work, BooleanSupplier written) {
		return within((status) -> attempt(work, status, written)).get();
	}

	private static <T> Supplier<T> attempt(Supplier<T> work, TransactionStatus status, BooleanSupplier written) {
		try {
			T result = work.get();
			return () -> result;
		}
		catch (RuntimeException | Error ex) {
			if (status.isNewTransaction() || written.getAsBoolean()) {
				status.setRollbackOnly();
			}
			return () -> {
				throw ex;
			};
		}
	}

	private <T> T within(TransactionCallback<T> work) {
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new JobRejectedException("transaction",
					"is read-only: enqueue in a transaction that may write, or remove readOnly = true");
		}
		try {
			return Objects.requireNonNull(this.template.execute(work));
		}
		catch (IllegalTransactionStateException ex) {
			if (this.template.getPropagationBehavior() != TransactionDefinition.PROPAGATION_MANDATORY) {
				throw ex;
			}
			throw new JobRejectedException("transaction",
					"is missing: begin one, or do without jobqueue.producer.require-transaction", ex);
		}
	}

}
