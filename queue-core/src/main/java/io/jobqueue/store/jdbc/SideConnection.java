package io.jobqueue.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A connection beside the pool, for what must not wait while the application uses up the
 * pool: heartbeats and signals. Where it cannot be opened, the pool serves.
 */
final class SideConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SideConnection.class);

	/**
	 * A server that vanished without a word must not silence the heartbeat.
	 */
	private static final int NETWORK_TIMEOUT_MILLIS = 10_000;

	private final @Nullable DataSource unpooled;

	private final DataSource pool;

	private @Nullable Connection connection;

	private boolean reported;

	SideConnection(@Nullable DataSource unpooled, DataSource pool) {
		this.unpooled = unpooled;
		this.pool = pool;
	}

	/**
	 * Do work that is in place in auto-commit mode and may be done twice: a connection
	 * that turns out to be broken is replaced once.
	 */
	synchronized <T> T execute(Function<JdbcOperations, T> work) {
		boolean reused = this.connection != null;
		Connection open = open();
		if (open == null) {
			return inPool(work);
		}
		try {
			return work.apply(new JdbcTemplate(new SingleConnectionDataSource(open, true)));
		}
		catch (DataAccessException ex) {
			close();
			if (!reused) {
				throw ex;
			}
			return execute(work);
		}
	}

	/**
	 * In a transaction, since the pool may hand out connections without auto-commit.
	 */
	private <T> T inPool(Function<JdbcOperations, T> work) {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.pool));
		transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return Objects.requireNonNull(transaction.execute((status) -> work.apply(new JdbcTemplate(this.pool))));
	}

	private @Nullable Connection open() {
		if (this.connection == null && this.unpooled != null) {
			try {
				this.connection = this.unpooled.getConnection();
				this.connection.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
				this.reported = false;
			}
			catch (SQLException ex) {
				report(ex);
			}
		}
		return this.connection;
	}

	private void report(SQLException ex) {
		if (!this.reported) {
			logger.warn("No connection beside the pool can be opened; heartbeats and signals use the pool: {}",
					ex.getMessage());
		}
		this.reported = true;
	}

	@Override
	public synchronized void close() {
		JdbcUtils.closeConnection(this.connection);
		this.connection = null;
	}

}
