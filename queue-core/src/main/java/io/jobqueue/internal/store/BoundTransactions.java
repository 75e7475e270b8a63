package io.jobqueue.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * Tracks the transactions of one manager that are bound to threads, and the connections
 * of one data source on which they began. Spring keeps a transaction bound while its
 * callbacks run after the commit or rollback; writes on its connection are not part of
 * any transaction then.
 * <p>
 * Spring looks a connection up by the target that the data source has at that moment. A
 * scope that replaces its beans changes the target within a transaction: Spring returns
 * another connection then, which commits on its own.
 * <p>
 * The end of a transaction is detected by a synchronization: Spring calls no method of
 * this listener if a callback before the commit throws a {@link TransactionException}.
 */
public final class BoundTransactions implements TransactionExecutionListener {

	/**
	 * Describes a transaction that {@link #isMoved()}.
	 */
	public static final String MOVED = "began on a connection of a DataSource that was replaced since, such as a bean of a refreshed scope";

	private static final Logger logger = LoggerFactory.getLogger(BoundTransactions.class);

	private final DataSource dataSource;

	/**
	 * Whether the manager binds connections to threads. That of JTA does not.
	 */
	private volatile boolean binding;

	/**
	 * Create an object that tracks no transactions yet.
	 * @param dataSource the data source
	 */
	public BoundTransactions(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Return the innermost transaction of this thread, which further work joins.
	 * @return the transaction, or {@code null} if there is none, it is not tracked, or
	 * its manager suspended it for one that is not tracked
	 */
	public @Nullable BoundTransaction current() {
		BoundTransaction innermost = innermost();
		return (innermost != null && innermost.hasConnectionSuspended()) ? null : innermost;
	}

	private @Nullable BoundTransaction innermost() {
		BoundTransaction innermost = (BoundTransaction) TransactionSynchronizationManager.getResource(this);
		while (innermost != null && innermost.execution.isCompleted()) {
			innermost = innermost.outer;
		}
		return innermost;
	}

	/**
	 * Return whether an open transaction of this thread began on a connection that Spring
	 * does not return for the data source any more.
	 * @return {@code true} if there is one, and it is not suspended
	 */
	public boolean isMoved() {
		for (BoundTransaction each = innermost(); each != null; each = each.outer) {
			if (!each.isOver() && each.hasMoved(this.dataSource)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the key by which Spring finds the connection of this thread's transaction.
	 * @return the key of the connection on which it began; without one, that of the data
	 * source
	 */
	public Object key() {
		BoundTransaction current = current();
		return (current != null && current.connection != null) ? current.connection.key()
				: TransactionSynchronizationUtils.unwrapResourceIfNecessary(this.dataSource);
	}

	/**
	 * Track a transaction that has begun, unless this listener was called for it.
	 * @param execution the transaction, which is the innermost one of this thread
	 * @return the tracked transaction, to be passed to {@link #release}; {@code null} if
	 * the transaction joins an outer one or has no synchronizations
	 */
	public @Nullable BoundTransaction track(TransactionExecution execution) {
		if (!isCurrent(execution)) {
			afterBegin(execution, null);
		}
		return isCurrent(execution) ? current() : null;
	}

	/**
	 * Unbind and close the connection of an ended transaction that moved: Spring did not
	 * find it, and a later transaction of this thread would join it.
	 * @param ended the transaction; one that is not completed keeps its connection
	 */
	public void release(BoundTransaction ended) {
		if (ended.execution.isCompleted()) {
			bind(innermost());
			if (ended.connection != null && ended.connection.isLeft()) {
				ended.connection.release();
			}
		}
	}

	@Override
	public void afterBegin(TransactionExecution execution, @Nullable Throwable failure) {
		if (failure == null && execution.isNewTransaction()
				&& TransactionSynchronizationManager.isSynchronizationActive()) {
			BoundConnection connection = BoundConnection.of(this.dataSource);
			this.binding |= connection != null;
			BoundTransaction begun = new BoundTransaction(execution, connection, this.binding, innermost());
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
		BoundTransaction innermost = innermost();
		if (innermost != null && innermost.execution == execution) {
			bind(innermost.outer);
		}
	}

	private boolean isCurrent(TransactionExecution execution) {
		BoundTransaction current = current();
		return current != null && current.execution == execution;
	}

	private void bind(@Nullable BoundTransaction transaction) {
		TransactionSynchronizationManager.unbindResourceIfPossible(this);
		if (transaction != null) {
			TransactionSynchronizationManager.bindResource(this, transaction);
		}
	}

	/**
	 * A callback of the queue: it does nothing between the completion of a job, which is
	 * the last statement of a transaction, and the commit.
	 */
	public interface QueueSynchronization extends TransactionSynchronization {

	}

	/**
	 * A connection that is bound to a thread.
	 *
	 * @param key the target by which Spring finds it
	 * @param holder holds it until the end of its transaction
	 */
	private record BoundConnection(Object key, ConnectionHolder holder) {

		static @Nullable BoundConnection of(DataSource dataSource) {
			for (DataSource each = dataSource; each != null; each = behind(each)) {
				Object key = TransactionSynchronizationUtils.unwrapResourceIfNecessary(each);
				if (TransactionSynchronizationManager.getResource(key) instanceof ConnectionHolder holder) {
					return new BoundConnection(key, holder);
				}
			}
			return null;
		}

		private static @Nullable DataSource behind(DataSource dataSource) {
			return (dataSource instanceof DelegatingDataSource proxy) ? proxy.getTargetDataSource() : null;
		}

		boolean isSuspended() {
			return TransactionSynchronizationManager.getResource(this.key) != this.holder;
		}

		/**
		 * Spring has not cleaned up a holder that is still synchronized. If the data
		 * source was replaced within an inner transaction, it has not resumed this one.
		 */
		boolean isLeft() {
			return !isSuspended() || this.holder.isSynchronizedWithTransaction();
		}

		/**
		 * The connection of an inner transaction may be left in place of this one.
		 */
		void release() {
			Object bound = TransactionSynchronizationManager.unbindResourceIfPossible(this.key);
			if (bound instanceof ConnectionHolder inner && inner != this.holder) {
				JdbcUtils.closeConnection(inner.getConnection());
			}
			JdbcUtils.closeConnection(this.holder.getConnection());
		}

		boolean isFoundBy(DataSource dataSource) {
			for (DataSource each = dataSource; each != null; each = behind(each)) {
				if (TransactionSynchronizationUtils.unwrapResourceIfNecessary(each) == this.key) {
					return true;
				}
			}
			return false;
		}

	}

	/**
	 * A transaction, from its begin to the cleanup of its resources.
	 */
	public static final class BoundTransaction implements QueueSynchronization {

		private final TransactionExecution execution;

		private final @Nullable BoundConnection connection;

		private final boolean needsConnection;

		private final @Nullable BoundTransaction outer;

		private final List<TransactionSynchronization> waiting = new ArrayList<>();

		private @Nullable Connection abortable;

		private boolean suspended;

		private boolean over;

		private BoundTransaction(TransactionExecution execution, @Nullable BoundConnection connection,
				boolean needsConnection, @Nullable BoundTransaction outer) {
			this.execution = execution;
			this.connection = connection;
			this.needsConnection = needsConnection;
			this.outer = outer;
		}

		/**
		 * Return whether the transaction has been committed or rolled back, while its
		 * callbacks may still run.
		 * @return {@code true} if it has ended
		 */
		public boolean isOver() {
			return this.over || this.execution.isCompleted();
		}

		/**
		 * Return whether the transaction was begun as read-only.
		 * @return {@code true} if it was
		 */
		public boolean isReadOnly() {
			return this.execution.isReadOnly();
		}

		private boolean hasConnectionSuspended() {
			return this.connection != null && this.connection.isSuspended();
		}

		/**
		 * A transaction without a connection moved while it began.
		 */
		private boolean hasMoved(DataSource dataSource) {
			return (this.connection != null) ? !this.connection.isFoundBy(dataSource) && !this.connection.isSuspended()
					: this.needsConnection;
		}

		/**
		 * Permit other threads to {@link #abort()} this transaction. This is called on
		 * its own thread.
		 */
		public synchronized void permitAbort() {
			this.abortable = (this.connection != null) ? this.connection.holder().getConnection() : null;
		}

		/**
		 * Roll the transaction back on another thread, and return its connection to the
		 * pool, which replaces it. Its thread gets an exception for each further
		 * statement. This may block for as long as the database is unreachable.
		 * @return {@code false} if its thread has begun to commit or to roll back, so
		 * that it is left to that
		 */
		public synchronized boolean abort() {
			Connection aborted = this.abortable;
			this.abortable = null;
			if (aborted != null) {
				abort(aborted);
			}
			return aborted != null;
		}

		/**
		 * The server notices that a connection is closed when it reads from it: not while
		 * it runs a statement or waits for a lock.
		 */
		private static void abort(Connection connection) {
			try {
				if (connection.isWrapperFor(PGConnection.class)) {
					connection.unwrap(PGConnection.class).cancelQuery();
				}
			}
			catch (SQLException ex) {
				logger.debug("Could not cancel the statement of a transaction that is aborted", ex);
			}
			try {
				connection.abort(Runnable::run);
			}
			catch (SQLException ex) {
				logger.warn("Could not close the connection of a transaction that is aborted", ex);
			}
			JdbcUtils.closeConnection(connection);
		}

		/**
		 * Permit no {@link #abort()} any more: the transaction is about to end.
		 */
		public synchronized void forbidAbort() {
			this.abortable = null;
		}

		/**
		 * The connection may serve others as soon as the transaction has ended.
		 */
		@Override
		public void beforeCompletion() {
			forbidAbort();
		}

		/**
		 * Roll back on the connection, on the thread of the transaction and before its
		 * resources are cleaned up. Spring does not roll back where a callback before the
		 * commit throws a {@link TransactionException}, and commits when it then restores
		 * the auto-commit mode.
		 */
		public void rollBack() {
			forbidAbort();
			if (this.connection != null) {
				rollBack(this.connection.holder().getConnection());
			}
		}

		private static void rollBack(Connection connection) {
			try {
				connection.rollback();
			}
			catch (SQLException ex) {
				logger.debug("Could not roll back a transaction that did not begin to commit", ex);
				abort(connection);
			}
		}

		/**
		 * Register a synchronization with this transaction. If it is suspended for the
		 * transaction of another manager, the registration takes place when it is
		 * resumed.
		 * @param synchronization the synchronization
		 */
		public void register(TransactionSynchronization synchronization) {
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
