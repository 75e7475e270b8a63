package io.jobqueue.test;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction manager of transactional handlers. At a crash point it rolls back
 * instead of committing.
 */
final class CrashingTransactionManager implements PlatformTransactionManager {

	private final PlatformTransactionManager target;

	private final @Nullable CrashPoint crash;

	CrashingTransactionManager(PlatformTransactionManager target, @Nullable CrashPoint crash) {
		this.target = target;
		this.crash = crash;
	}

	@Override
	public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
		return this.target.getTransaction(definition);
	}

	/**
	 * A status without a transaction belongs to work that suspends the transaction.
	 */
	@Override
	public void commit(TransactionStatus status) {
		if (this.crash != null && status.hasTransaction()) {
			crash(status, this.crash);
		}
		this.target.commit(status);
	}

	private void crash(TransactionStatus status, CrashPoint point) {
		if (point == CrashPoint.BEFORE_COMMIT && status.isNewTransaction()) {
			TransactionSynchronizationManager.registerSynchronization(new CrashBeforeCommit());
		}
		else {
			this.target.rollback(status);
			throw new SimulatedCrash(point);
		}
	}

	@Override
	public void rollback(TransactionStatus status) {
		this.target.rollback(status);
	}

	/**
	 * Is registered last, so that it follows the completion of the job.
	 */
	private static final class CrashBeforeCommit implements TransactionSynchronization {

		@Override
		public int getOrder() {
			return Ordered.LOWEST_PRECEDENCE;
		}

		@Override
		public void beforeCommit(boolean readOnly) {
			throw new SimulatedCrash(CrashPoint.BEFORE_COMMIT);
		}

	}

}
