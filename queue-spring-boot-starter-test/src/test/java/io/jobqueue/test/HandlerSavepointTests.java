package io.jobqueue.test;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.SimpleTransactionStatus;

import io.jobqueue.internal.worker.execution.JobRunner.Result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Savepoints around handlers.
 */
class HandlerSavepointTests {

	@Test
	void failureOfTheHandlerIsAttachedToThatOfTheRollback() {
		HandlerSavepoint savepoint = new HandlerSavepoint(new BrokenTransactionManager());
		IllegalStateException thrown = new IllegalStateException("refused");
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> savepoint.call(() -> new Result(thrown, () -> {
				throw new AssertionError("There is no outcome");
			})))
			.satisfies((failure) -> assertThat(failure.getSuppressed()).containsExactly(thrown));
	}

	/**
	 * Cannot roll back, such as after the handler has committed.
	 */
	private static final class BrokenTransactionManager implements PlatformTransactionManager {

		@Override
		public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
			return new SimpleTransactionStatus();
		}

		@Override
		public void commit(TransactionStatus status) {
		}

		@Override
		public void rollback(TransactionStatus status) {
			throw new TransactionSystemException("There is no such savepoint");
		}

	}

}
