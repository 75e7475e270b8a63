package io.jobqueue.outbox;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tracks the transactions of one manager that are bound to threads. Spring keeps a
 * transaction bound while its callbacks run after the commit or rollback; writes on its
 * connection are not part of any transaction then.
 * <p>
 * The end of a transaction is detected by a synchronization, as Spring skips the methods
 * of this listener if a callback before the commit throws.
 */
final class BoundTransactions implements TransactionExecutionListener {

	/**
	 * Return the innermost transaction of this thread, which further work joins.
	 * @return the transaction, or {@code null} if there is none or it began before this
	 * listener was registered
	 */
	@Nullable BoundTransaction current() {
		BoundTransaction current = (BoundTransaction) TransactionSynchronizationManager.getResource(this);
		while (current != null && current.execution.isCompleted()) {
			current = current.outer;
		}
		return current;
	}

	@Override
	public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
		if (failure == null && execution.isNewTransaction()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			BoundTransaction begun = new BoundTransaction(execution, current());
			TransactionSynchronizationManager.registerSynchronization(begun);
			bind(begun);
		}
	}

	@Override
	public void afterCommit(TransactionExecution execution, @Nullable Throwable failure) {
		unbind(execution);
	}

	@Override
	public void afterRollback(TransactionExecution execution, @Nullable Throwable failure) {
		unbind(execution);
	}

	private void unbind(TransactionExecution execution) {
		BoundTransaction current = current();
		if (current != null && current.execution == execution) {
			bind(current.outer);
		}
	}

	private void bind(@Nullable BoundTransaction transaction) {
		TransactionSynchronizationManager.unbindResourceIfPossible(this);
		if (transaction != null) {
			TransactionSynchronizationManager.bindResource(this, transaction);
		}
	}

	/**
	 * A transaction, from its begin to the cleanup of its resources.
	 */
	static final class BoundTransaction implements TransactionSynchronization {

		private final TransactionExecution execution;

		private final @Nullable BoundTransaction outer;

		private final List<TransactionSynchronization> waiting = new ArrayList<>();

		private boolean suspended;

		private boolean over;

		private BoundTransaction(TransactionExecution execution, @Nullable BoundTransaction outer) {
			this.execution = execution;
			this.outer = outer;
		}

		/**
		 * Return whether the transaction has been committed or rolled back, while its
		 * callbacks may still run.
		 */
		boolean isOver() {
			return this.over;
		}

		boolean isReadOnly() {
			return this.execution.isReadOnly();
		}

		/**
		 * Register a synchronization with this transaction. If it is suspended for the
		 * transaction of another manager, the registration takes place when it is
		 * resumed.
		 */
		void register(TransactionSynchronization synchronization) {
			if (this.suspended) {
				this.waiting.add(synchronization);
			}
			else {
				TransactionSynchronizationManager.registerSynchronization(synchronization);
			}
		}

		@Override
		public void suspend() {
			this.suspended = true;
		}

		@Override
		public void resume() {
			this.suspended = false;
			this.waiting.forEach(TransactionSynchronizationManager::registerSynchronization);
			this.waiting.clear();
		}

		@Override
		public void afterCommit() {
			this.over = true;
		}

		@Override
		public void afterCompletion(int status) {
			this.over = true;
		}

		/**
		 * Runs before the callbacks of the application, so that these see the end of the
		 * transaction.
		 */
		@Override
		public int getOrder() {
			return Ordered.HIGHEST_PRECEDENCE;
		}

	}

}
