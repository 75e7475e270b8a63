package io.jobqueue.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

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
import org.springframework.jdbc.support.JdbcUtils;

import io.jobqueue.concurrent.Deadline;
import io.jobqueue.logging.FailureLog;

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

	private @Nullable Session session;

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
		return execute(work, () -> inPool(work));
	}

	/**
	 * Work on the pool runs outside the lock of this object, so that a connection without
	 * an answer does not block other threads.
	 */
	private <T> T execute(Function<JdbcOperations, T> work, Supplier<T> inPool) {
		return besidePool(work).orElseGet(inPool);
	}

	private synchronized <T> Optional<T> besidePool(Function<JdbcOperations, T> work) {
		boolean reused = this.session != null;
		Session open = open();
		if (open == null) {
			return Optional.empty();
		}
		try {
			return Optional.of(work.apply(open.jdbc));
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

	private static JdbcOperations jdbc(Connection connection) {
		return new JdbcTemplate(new SingleConnectionDataSource(connection, true));
	}

	/**
	 * Run transactions of the queue. They may run twice, because a broken connection is
	 * replaced once.
	 * @param work runs the transactions
	 * @param <T> the type of the result
	 * @return the result of the work
	 */
	public <T> T transact(Function<QueueTransaction, T> work) {
		return execute((jdbc) -> work.apply(new QueueTransaction(dataSource(jdbc))),
				() -> work.apply(new QueueTransaction(this.pool)));
	}

	private static DataSource dataSource(JdbcOperations jdbc) {
		return Objects.requireNonNull(((JdbcTemplate) jdbc).getDataSource());
	}

	private <T> T inPool(Function<JdbcOperations, T> work) {
		try (Connection connection = this.pool.getConnection();
				BorrowedConnection loan = BorrowedConnection.of(connection)) {
			return work.apply(jdbc(loan.connection()));
		}
		catch (SQLException ex) {
			throw new CannotGetJdbcConnectionException("Could not use a connection of the pool", ex);
		}
	}

	private @Nullable Session open() {
		if (this.session == null && this.opener != null && !this.closed && this.nextLogin.isDue()) {
			logIn(this.opener);
		}
		return this.session;
	}

	private void logIn(ConnectionOpener connections) {
		try {
			Connection connection = connections.open();
			this.session = new Session(connection, jdbc(connection));
			this.failures.succeeded();
		}
		catch (SQLException ex) {
			this.nextLogin.reset(this.failures.failed(ex));
		}
	}

	private void disconnect() {
		if (this.session != null) {
			JdbcUtils.closeConnection(this.session.connection);
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

	/**
	 * An open connection, and the template that runs statements on it.
	 */
	private record Session(Connection connection, JdbcOperations jdbc) {
	}

}
