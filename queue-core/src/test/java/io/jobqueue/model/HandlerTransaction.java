package io.jobqueue.model;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.store.JobStore;
import io.jobqueue.store.jdbc.JdbcStores;

/**
 * A transaction on a connection of its own, which may stay open while others go on.
 */
final class HandlerTransaction implements AutoCloseable {

	private final SingleConnectionDataSource connection;

	private final JobStore jobs;

	HandlerTransaction(DataSource dataSource) {
		this.connection = new SingleConnectionDataSource(open(dataSource), true);
		this.jobs = JdbcStores.of(this.connection, null, null).jobs();
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

	JobStore jobs() {
		return this.jobs;
	}

	void end(boolean commit) {
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
