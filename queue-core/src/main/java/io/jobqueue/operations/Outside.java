package io.jobqueue.operations;

import java.lang.reflect.UndeclaredThrowableException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Does things outside any transaction of the caller: some data sources would hand out the
 * connection of that.
 */
final class Outside {

	private final TransactionTemplate transaction;

	Outside(PlatformTransactionManager manager) {
		this.transaction = new TransactionTemplate(manager);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
	}

	<T> T call(Supplier<T> work) {
		return Objects.requireNonNull(this.transaction.execute((status) -> work.get()));
	}

	void run(Runnable work) {
		this.transaction.executeWithoutResult((status) -> work.run());
	}

	/**
	 * Do something that may throw anything, and throw that.
	 */
	void runThrowing(ThrowingRunnable work) throws Exception {
		AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
		run(() -> thrown.set(attempt(work)));
		Throwable failure = thrown.get();
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure != null) {
			throw (failure instanceof Exception exception) ? exception : new UndeclaredThrowableException(failure);
		}
	}

	private static @Nullable Throwable attempt(ThrowingRunnable work) {
		try {
			work.run();
			return null;
		}
		catch (Throwable ex) {
			return ex;
		}
	}

	/**
	 * Something that may throw anything.
	 */
	@FunctionalInterface
	interface ThrowingRunnable {

		void run() throws Throwable;

	}

}
