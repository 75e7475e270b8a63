package io.jobqueue.test;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

import javax.sql.DataSource;

import org.springframework.core.InfrastructureProxy;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The application's data source, whose connection is that of the test's transaction while
 * {@link #join} runs.
 */
final class TestDataSource extends DelegatingDataSource implements InfrastructureProxy {

	private final DataSource target;

	private final Map<Thread, Connection> joined = new ConcurrentHashMap<>();

	TestDataSource(DataSource target) {
		super(target);
		this.target = target;
	}

	@Override
	public Object getWrappedObject() {
		return this.target;
	}

	DataSource target() {
		return this.target;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection current = this.joined.get(Thread.currentThread());
		return (current != null) ? JoinedConnection.of(current) : super.getConnection();
	}

	boolean isInTransaction() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.hasResource(this.target);
	}

	/**
	 * Run work on the connection of this thread's transaction, if there is one. The work
	 * may suspend that transaction.
	 */
	<T> T join(Callable<T> work) throws Exception {
		if (this.joined.containsKey(Thread.currentThread()) || !isInTransaction()) {
			return work.call();
		}
		Connection connection = DataSourceUtils.getConnection(this.target);
		this.joined.put(Thread.currentThread(), connection);
		try {
			return work.call();
		}
		finally {
			this.joined.remove(Thread.currentThread());
			DataSourceUtils.releaseConnection(connection, this.target);
		}
	}

}
