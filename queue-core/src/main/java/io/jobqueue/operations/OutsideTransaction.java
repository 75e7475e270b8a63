package io.jobqueue.operations;

import java.util.Objects;
import java.util.function.Supplier;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs code outside any transaction of the caller. Within one, a transaction-aware data
 * source returns the caller's connection.
 */
public final class OutsideTransaction {

	private final TransactionTemplate transaction;

	/**
	 * Create it.
	 * @param manager the manager of the callers' transactions
	 */
	public OutsideTransaction(PlatformTransactionManager manager) {
		this.transaction = new TransactionTemplate(manager);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
	}

	/**
	 * Run code.
	 * @param work the code
	 * @param <T> the type of the result
	 * @return the result of the code
	 */
	public <T> T call(Supplier<T> work) {
		return Objects.requireNonNull(this.transaction.execute((status) -> work.get()));
	}

	void run(Runnable work) {
		this.transaction.executeWithoutResult((status) -> work.run());
	}

}
