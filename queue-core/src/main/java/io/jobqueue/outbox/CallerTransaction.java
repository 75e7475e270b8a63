package io.jobqueue.outbox;

import java.util.Objects;
import java.util.function.Supplier;

import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
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

	<T> T call(Supplier<T> work) {
		if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
			throw new JobRejectedException("transaction",
					"is read-only: enqueue in a transaction that may write, or remove readOnly = true");
		}
		try {
			return Objects.requireNonNull(this.template.execute((status) -> work.get()));
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
