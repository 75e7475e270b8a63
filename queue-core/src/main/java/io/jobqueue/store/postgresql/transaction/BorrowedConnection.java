package io.jobqueue.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection of the pool while a worker uses it, and how it was before.
 *
 * @param connection the connection
 * @param autoCommit whether it commits by itself
 * @param networkTimeout how long it waits for an answer in milliseconds, 0 for ever
 */
record BorrowedConnection(Connection connection, boolean autoCommit, int networkTimeout) implements AutoCloseable {

	/**
	 * A server that vanished without a word must not keep a worker for good.
	 */
	private static final int NETWORK_TIMEOUT_MILLIS = 60_000;

	static BorrowedConnection of(Connection connection) throws SQLException {
		BorrowedConnection loan = new BorrowedConnection(connection, connection.getAutoCommit(),
				connection.getNetworkTimeout());
		connection.setAutoCommit(true);
		loan.setNetworkTimeout(NETWORK_TIMEOUT_MILLIS);
		return loan;
	}

	@Override
	public void close() throws SQLException {
		this.connection.setAutoCommit(this.autoCommit);
		setNetworkTimeout(0);
	}

	private void setNetworkTimeout(int millis) throws SQLException {
		if (this.networkTimeout == 0) {
			this.connection.setNetworkTimeout(Runnable::run, millis);
		}
	}

}
