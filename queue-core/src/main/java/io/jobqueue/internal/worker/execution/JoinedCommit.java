package io.jobqueue.internal.worker.execution;

import java.util.Collection;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.internal.store.BoundTransactions;
import io.jobqueue.internal.store.BoundTransactions.QueueSynchronization;

/**
 * Decides whether the COMMIT of a handler's transaction may be sent with the completion
 * of its job: only if nothing can write or throw between the two, neither the transaction
 * manager nor a callback of the application.
 */
final class JoinedCommit {

	/**
	 * Subclasses, and managers of entities, may write before the commit.
	 */
	private static final Set<Class<?>> MANAGERS = Set.of(DataSourceTransactionManager.class,
			JdbcTransactionManager.class);

	private final @Nullable DataSourceTransactionManager manager;

	JoinedCommit(PlatformTransactionManager manager) {
		this.manager = MANAGERS.contains(manager.getClass()) ? (DataSourceTransactionManager) manager : null;
	}

	/**
	 * Return whether the COMMIT of this thread's transaction may be sent.
	 */
	boolean isPossible() {
		return this.manager != null && only(BoundTransactions.class, this.manager.getTransactionExecutionListeners())
				&& only(QueueSynchronization.class, TransactionSynchronizationManager.getSynchronizations());
	}

	private static boolean only(Class<?> type, Collection<?> callbacks) {
		return callbacks.stream().allMatch(type::isInstance);
	}

}
