package io.jobqueue.benchmark.subject;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A transaction that stays open: no vacuum removes what it may still see.
 */
public final class OpenTransaction implements AutoCloseable {

	private final Connection connection;

	private OpenTransaction(Connection connection) {
		this.connection = connection;
	}

	/**
	 * Open a transaction that has read and keeps its snapshot, such as a long report.
	 */
	public static OpenTransaction withSnapshot(BenchmarkDatabase database) throws SQLException {
		return open(database, Connection.TRANSACTION_REPEATABLE_READ, "SELECT 1");
	}

	/**
	 * Open a transaction that has an id as after a write, and is idle without a snapshot.
	 */
	public static OpenTransaction withId(BenchmarkDatabase database) throws SQLException {
		return open(database, Connection.TRANSACTION_READ_COMMITTED, "SELECT pg_current_xact_id()");
	}

	private static OpenTransaction open(BenchmarkDatabase database, int isolation, String sql) throws SQLException {
		Connection connection = database.dataSource().getConnection();
		connection.setTransactionIsolation(isolation);
		connection.setAutoCommit(false);
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		return new OpenTransaction(connection);
	}

	/**
	 * Return whether the connection still answers, within a second. It does no longer
	 * when the server has ended an idle transaction; that is no exception.
	 * @return {@code true} if it does
	 */
	public boolean isOpen() throws SQLException {
		return this.connection.isValid(1);
	}

	@Override
	public void close() throws SQLException {
		this.connection.rollback();
		this.connection.close();
	}

}
