package io.jobqueue.internal.store.postgresql.signal;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

import org.springframework.jdbc.support.JdbcUtils;

import io.jobqueue.internal.signal.SignalChannel;
import io.jobqueue.internal.signal.SignalsUnavailableException;
import io.jobqueue.internal.store.Notice;

/**
 * A connection that is used for LISTEN only, because the driver blocks it while it waits.
 */
final class PostgresSubscription implements SignalChannel.Subscription {

	private static final Duration TEST_TIMEOUT = Duration.ofSeconds(3);

	private static final Duration CHECK_INTERVAL = Duration.ofSeconds(20);

	private static final int SESSION_CHECKS = 50;

	private final Connection connection;

	private final UUID node;

	private long checked = System.nanoTime();

	private PostgresSubscription(Connection connection, UUID node) {
		this.connection = connection;
		this.node = node;
	}

	/**
	 * Receiving notifications counts as idle.
	 */
	private static final String LISTEN = """
			SET idle_session_timeout = 0;
			LISTEN "%s"
			""";

	/**
	 * Execute LISTEN and send a test signal: behind a pooler that is not recognised,
	 * LISTEN succeeds, but no signal arrives.
	 */
	static PostgresSubscription open(Connection connection, String channel, UUID node, Consumer<String> notify,
			IntSupplier sessionBeside) {
		PostgresSubscription subscription = new PostgresSubscription(connection, node);
		try (Statement statement = connection.createStatement()) {
			requireOwnSession(subscription.driver().getBackendPID(), () -> session(statement), sessionBeside);
			statement.execute(LISTEN.formatted(channel.replace("\"", "\"\"")));
			String test = "test " + UUID.randomUUID();
			notify.accept(test);
			subscription.expect(test);
			return subscription;
		}
		catch (SQLException | RuntimeException ex) {
			subscription.close();
			throw new SignalsUnavailableException("LISTEN failed: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Check that this connection keeps its session. A pooler in transaction mode assigns
	 * a free session to each transaction; LISTEN would remain active in one of them, and
	 * another client would receive the signals. A pooler reports a process id of its own
	 * to the driver, so that equal ids show that there is no pooler. In session mode, the
	 * session stays the same. Each check compares two consecutive transactions, because a
	 * pooler that alternates between two sessions returns the same one every other time.
	 */
	static void requireOwnSession(int driverSession, Session own, IntSupplier sessionBeside) throws SQLException {
		int session = own.number();
		for (int check = 0; session != driverSession && check < SESSION_CHECKS; check++) {
			int first = own.number();
			int second = own.number();
			if (first != session || second != session || sessionBeside.getAsInt() == session) {
				throw new SQLException("a pooler in transaction mode keeps no session for this connection");
			}
		}
	}

	static final String SESSION = """
			SELECT pg_backend_pid()
			""";

	private static int session(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(SESSION)) {
			row.next();
			return row.getInt(1);
		}
	}

	private void expect(String test) throws SQLException {
		long deadline = System.nanoTime() + TEST_TIMEOUT.toNanos();
		for (long left = TEST_TIMEOUT.toMillis(); left > 0;) {
			for (PGNotification notification : receive(left)) {
				if (notification.getParameter().equals(test)) {
					return;
				}
			}
			left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
		}
		throw new SignalsUnavailableException("a test signal did not arrive", null);
	}

	@Override
	public void await(Duration atMost, SignalChannel.Receiver receiver) {
		try {
			for (PGNotification notification : receive(atMost.toMillis())) {
				deliver(notification.getParameter(), receiver);
			}
			check();
		}
		catch (SQLException ex) {
			throw new SignalsUnavailableException("the connection failed: " + ex.getMessage(), ex);
		}
	}

	private void deliver(String text, SignalChannel.Receiver receiver) {
		if (SignalText.isFrom(this.node, text)) {
			return;
		}
		Notice notice = SignalText.notice(text);
		if (notice != null) {
			receiver.receive(notice);
		}
		else {
			receiver.receive(SignalText.parse(text));
		}
	}

	private PGNotification[] receive(long millis) throws SQLException {
		PGNotification[] received = driver().getNotifications((int) Math.max(1, millis));
		return (received != null) ? received : new PGNotification[0];
	}

	private PGConnection driver() throws SQLException {
		return this.connection.unwrap(PGConnection.class);
	}

	/**
	 * Detects a connection whose server has disappeared without closing it.
	 */
	private void check() throws SQLException {
		if (System.nanoTime() - this.checked > CHECK_INTERVAL.toNanos()) {
			if (!this.connection.isValid((int) TEST_TIMEOUT.toSeconds())) {
				throw new SQLException("it did not answer a validity check");
			}
			this.checked = System.nanoTime();
		}
	}

	@Override
	public void close() {
		JdbcUtils.closeConnection(this.connection);
	}

	/**
	 * Returns the process id of the session of one transaction.
	 */
	@FunctionalInterface
	interface Session {

		int number() throws SQLException;

	}

}
