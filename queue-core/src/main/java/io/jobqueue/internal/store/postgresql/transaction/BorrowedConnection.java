package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * A connection of the pool with the settings that it had before. It is set to
 * auto-commit, and to a network timeout of 60 s if it has none; closing restores both.
 *
 * @param connection the connection
 * @param autoCommit whether it was in auto-commit mode
 * @param networkTimeout its network timeout in milliseconds, 0 for none
 */
record BorrowedConnection(Connection connection, boolean autoCommit, int networkTimeout) implements AutoCloseable {

	/**
	 * Ends the wait for a server that has disappeared without closing the connection.
	 */
	private static final int NETWORK_TIMEOUT_MILLIS = 60_000;

	static BorrowedConnection of(Connection connection) throws SQLException {
		BorrowedConnection borrowed = new BorrowedConnection(connection, connection.getAutoCommit(),
				connection.getNetworkTimeout());
		borrowed.setAutoCommit(true);
		borrowed.setNetworkTimeout(NETWORK_TIMEOUT_MILLIS);
		return borrowed;
	}

	@Override
	public void close() throws SQLException {
		setAutoCommit(false);
		setNetworkTimeout(0);
	}

	private void setAutoCommit(boolean on) throws SQLException {
		if (!this.autoCommit) {
			this.connection.setAutoCommit(on);
		}
	}

	private void setNetworkTimeout(int millis) throws SQLException {
		if (this.networkTimeout == 0) {
			this.connection.setNetworkTimeout(Runnable::run, millis);
		}
	}

}
