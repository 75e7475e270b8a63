package io.jobqueue.sample.database;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * An instance's presence on a server: a lock that all instances share and that the server
 * takes back when the instance is killed.
 */
final class Presence {

	private static final String ENTER = "SELECT pg_advisory_lock_shared(hashtextextended('sample instances', 0))";

	private static final String LEAVE = "SELECT pg_advisory_unlock_shared(hashtextextended('sample instances', 0))";

	private static final String NOBODY_LEFT = "SELECT pg_try_advisory_lock(hashtextextended('sample instances', 0))";

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final SingleConnectionDataSource connection;

	private final JdbcTemplate jdbc;

	private Presence(Postmaster postmaster) {
		this.connection = new SingleConnectionDataSource(postmaster.jdbcUrl(), Postmaster.USER, "", true);
		this.jdbc = new JdbcTemplate(this.connection);
		this.jdbc.execute(ENTER);
	}

	/**
	 * Wait for a server that is still starting or recovering, or already stopping.
	 * @param postmaster the server
	 * @return the presence, or nothing if the server stopped
	 */
	static Optional<Presence> on(Postmaster postmaster) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		while (postmaster.isAlive()) {
			try {
				return Optional.of(new Presence(postmaster));
			}
			catch (DataAccessException ex) {
				if (System.nanoTime() > deadline) {
					throw new IllegalStateException(
							"PostgreSQL runs as process %s but accepts no connection at %s; stop it"
								.formatted(postmaster.pid(), postmaster.jdbcUrl()),
							ex);
				}
			}
			TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
		}
		return Optional.empty();
	}

	/**
	 * End the presence.
	 * @return whether no other instance is present
	 */
	boolean leave() {
		try {
			this.jdbc.execute(LEAVE);
			return Boolean.TRUE.equals(this.jdbc.queryForObject(NOBODY_LEFT, Boolean.class));
		}
		finally {
			this.connection.close();
		}
	}

}
