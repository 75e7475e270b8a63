package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.sql.DataSource;

import org.springframework.jdbc.support.JdbcUtils;

import io.jobqueue.internal.concurrent.NamedThreads;

/**
 * Opens connections outside the pool whose login and statements wait at most 10 s for an
 * answer. The driver's {@code connectTimeout} does not cover the login: it ends with the
 * TCP handshake, which a suspended server completes.
 */
public final class ConnectionOpener {

	private static final int TIMEOUT_MILLIS = 10_000;

	private final DataSource unpooled;

	private final ThreadFactory threads;

	/**
	 * Limits the threads that wait for an unanswered login to one.
	 */
	private final Semaphore permit = new Semaphore(1);

	/**
	 * Create an opener.
	 * @param unpooled opens connections outside the pool
	 * @param purpose the purpose of the connections, as part of a thread name
	 */
	public ConnectionOpener(DataSource unpooled, String purpose) {
		this(unpooled, NamedThreads.daemons("jobqueue-login-" + purpose + "-"));
	}

	ConnectionOpener(DataSource unpooled, ThreadFactory threads) {
		this.unpooled = unpooled;
		this.threads = threads;
	}

	/**
	 * Open a connection whose statements time out after 10 s without an answer.
	 * @return the connection
	 * @throws SQLException if the server refuses the login or does not answer within 10
	 * s, if a previous login is still unanswered, or if no thread can be started
	 */
	public Connection open() throws SQLException {
		if (!this.permit.tryAcquire()) {
			throw new SQLTimeoutException("the server has not answered the previous login yet");
		}
		CompletableFuture<Connection> login = new CompletableFuture<>();
		try {
			this.threads.newThread(() -> logIn(login)).start();
		}
		catch (RuntimeException | Error ex) {
			this.permit.release();
			throw new SQLException("could not start a thread for the login: " + ex, ex);
		}
		return await(login);
	}

	/**
	 * Return whether a login is unanswered, so that no other one can begin.
	 */
	boolean isWaiting() {
		return this.permit.availablePermits() == 0;
	}

	private void logIn(CompletableFuture<Connection> login) {
		try {
			Connection connection = connect();
			if (!login.complete(connection)) {
				JdbcUtils.closeConnection(connection);
			}
		}
		catch (Throwable ex) {
			login.completeExceptionally(ex);
		}
	}

	/**
	 * The permit is free before the caller continues: it may log in again at once.
	 */
	private Connection connect() throws SQLException {
		Connection connection = null;
		try {
			connection = this.unpooled.getConnection();
			connection.setNetworkTimeout(Runnable::run, TIMEOUT_MILLIS);
			return connection;
		}
		catch (SQLException | RuntimeException ex) {
			JdbcUtils.closeConnection(connection);
			throw ex;
		}
		finally {
			this.permit.release();
		}
	}

	private static Connection await(CompletableFuture<Connection> login) throws SQLException {
		try {
			return login.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof SQLException refused) ? refused
					: new SQLException("the login failed: " + ex.getCause(), ex.getCause());
		}
		catch (TimeoutException ex) {
			return abandon(login, new SQLTimeoutException(
					"the server did not answer the login within %s ms".formatted(TIMEOUT_MILLIS), ex));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return abandon(login, new SQLException("the login was interrupted", ex));
		}
	}

	/**
	 * The login may have completed after the timeout; its connection is used then.
	 */
	private static Connection abandon(CompletableFuture<Connection> login, SQLException reason) throws SQLException {
		if (login.completeExceptionally(reason) || login.isCompletedExceptionally()) {
			throw reason;
		}
		return login.join();
	}

}
