package io.jobqueue.internal.store;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

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
	 * Run code that has a result.
	 * @param work the code
	 * @param <T> the type of the result
	 * @return the result of the code
	 */
	public <T extends @Nullable Object> T call(Supplier<T> work) {
		return this.transaction.execute((status) -> work.get());
	}

	/**
	 * Run code without a result.
	 * @param work the code
	 */
	public void run(Runnable work) {
		this.transaction.executeWithoutResult((status) -> work.run());
	}

}
