package io.jobqueue.harness;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.internal.store.BatchStore;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.postgresql.PostgresStores;

/**
 * A transaction on a connection of its own, which may stay open while others go on.
 */
public final class OpenTransaction implements AutoCloseable {

	private final SingleConnectionDataSource connection;

	private final PostgresStores stores;

	private final JobStore jobs;

	public OpenTransaction(DataSource dataSource) {
		this.connection = new SingleConnectionDataSource(open(dataSource), true);
		this.stores = PostgresStores.of(this.connection, null, null);
		this.jobs = this.stores.jobs();
	}

	private static Connection open(DataSource dataSource) {
		try {
			Connection opened = dataSource.getConnection();
			opened.setAutoCommit(false);
			return opened;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return what takes part in the transaction.
	 */
	public JobStore jobs() {
		return this.jobs;
	}

	public BatchStore batches() {
		return this.stores.batches();
	}

	public JdbcClient sql() {
		return JdbcClient.create(this.connection);
	}

	/**
	 * End it. Another one begins with what is done next.
	 */
	public void end(boolean commit) {
		try {
			Connection target = this.connection.getConnection();
			if (commit) {
				target.commit();
			}
			else {
				target.rollback();
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.connection.destroy();
	}

}
