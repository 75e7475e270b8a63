package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.logging.FailureLog;

/**
 * A connection outside the pool for heartbeats and signals, which must not wait for a
 * connection of an exhausted pool. If it cannot be opened, and after {@link #close()}, a
 * connection of the pool is used. After a failed login, the next one follows a pause,
 * which grows from 200 ms to 12.8 s.
 */
public final class DedicatedConnection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DedicatedConnection.class);

	private final @Nullable ConnectionOpener opener;

	private final DataSource pool;

	private @Nullable SingleConnectionDataSource session;

	private final FailureLog failures = new FailureLog(logger,
			"Could not open a connection outside the pool; heartbeats and signals use the pool",
			"Heartbeats and signals use a connection outside the pool again");

	private final Deadline nextLogin = new Deadline();

	private boolean closed;

	/**
	 * Create the connection. It is opened at its first use.
	 * @param unpooled opens connections outside the pool, {@code null} if there is none
	 * @param pool the pool to use instead
	 */
	public DedicatedConnection(@Nullable DataSource unpooled, DataSource pool) {
		this.opener = (unpooled != null) ? new ConnectionOpener(unpooled, "heartbeats") : null;
		this.pool = pool;
		this.nextLogin.reset(Duration.ZERO);
	}

	/**
	 * Run statements in auto-commit mode. They may run twice, because a broken connection
	 * is replaced once.
	 * @param work runs the statements
	 * @param <T> the type of the result
	 * @return the result of the work
	 */
	public <T> T execute(Function<JdbcOperations, T> work) {
		return besidePool((session) -> work.apply(new JdbcTemplate(session))).orElseGet(() -> inPool(work));
	}

	/**
	 * Run transactions of the queue. They may run twice, because a broken connection is
	 * replaced once.
	 * @param schema the schema of the tables
	 * @param work runs the transactions
	 * @param <T> the type of the result
	 * @return the result of the work
	 */
	public <T> T transact(Schema schema, Function<QueueTransaction, T> work) {
		Function<DataSource, T> onConnection = (dataSource) -> work.apply(new QueueTransaction(dataSource, schema));
		return besidePool(onConnection).orElseGet(() -> onConnection.apply(this.pool));
	}

	/**
	 * Work on the pool runs outside the lock of this object, so that a connection without
	 * an answer does not block other threads.
	 */
	private synchronized <T> Optional<T> besidePool(Function<DataSource, T> work) {
		boolean reused = this.session != null;
		DataSource open = open();
		if (open == null) {
			return Optional.empty();
		}
		try {
			return Optional.of(work.apply(open));
		}
		catch (CannotAcquireLockException ex) {
			throw ex;
		}
		catch (DataAccessException ex) {
			disconnect();
			if (!reused) {
				throw ex;
			}
			return besidePool(work);
		}
	}

	private <T> T inPool(Function<JdbcOperations, T> work) {
		try (Connection connection = this.pool.getConnection();
				BorrowedConnection borrowed = BorrowedConnection.of(connection)) {
			return work.apply(new JdbcTemplate(new SingleConnectionDataSource(borrowed.connection(), true)));
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("Could not use a connection of the pool", ex);
		}
	}

	/**
	 * A login that a stop has interrupted may still be unanswered: that is no failure.
	 */
	private @Nullable DataSource open() {
		if (this.session == null && this.opener != null && !this.closed && this.nextLogin.isDue()
				&& !this.opener.isWaiting()) {
			logIn(this.opener);
		}
		return this.session;
	}

	private void logIn(ConnectionOpener connections) {
		try {
			this.session = new SingleConnectionDataSource(connections.open(), true);
			this.failures.succeeded();
		}
		catch (SQLException ex) {
			this.nextLogin.reset(this.failures.failed(ex));
		}
	}

	private void disconnect() {
		if (this.session != null) {
			this.session.destroy();
			this.session = null;
		}
	}

	/**
	 * Close the connection permanently. Later work uses the pool, because a connection
	 * that it opened would never be closed.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		disconnect();
	}

}
