package io.jobqueue.performance;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What the server itself counted in one database. Its own statements are left out.
 */
final class ServerFigures {

	private static final String OF_OTHERS = """
			FROM pg_stat_statements
			WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
			  AND query NOT LIKE '%pg\\_%'
			""";

	private static final String OF_ROWS = "AND query NOT LIKE 'SELECT set_config%' AND query ~* '^\\s*(WITH|SELECT|INSERT|UPDATE|DELETE|EXPLAIN|NOTIFY)\\M'";

	private final JdbcClient sql;

	ServerFigures(JdbcClient sql) {
		this.sql = sql;
		sql.sql("CREATE EXTENSION IF NOT EXISTS pg_stat_statements").update();
	}

	/**
	 * Reset the counters.
	 */
	void reset() {
		query("SELECT count(pg_stat_statements_reset(0, oid, 0)) FROM pg_database WHERE datname = current_database()");
		query("SELECT count(pg_stat_reset())");
	}

	/**
	 * Return the position in the log up to which the server has written.
	 */
	long walPosition() {
		return query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint");
	}

	/**
	 * Return where the last checkpoint began.
	 */
	long checkpoint() {
		return query("SELECT pg_wal_lsn_diff(redo_lsn, '0/0')::bigint FROM pg_control_checkpoint()");
	}

	long fullPageImages() {
		return query("SELECT coalesce(sum(wal_fpi), 0)::bigint " + OF_OTHERS);
	}

	/**
	 * Return how many statements read or wrote rows. BEGIN, settings and COMMIT travel
	 * with them and cost no round trip.
	 */
	long statementsOfRows() {
		return query("SELECT coalesce(sum(calls), 0)::bigint " + OF_OTHERS + OF_ROWS);
	}

	/**
	 * Return the beginnings of those statements, for people.
	 */
	String textsOfRows() {
		String text = "SELECT format(E'\\n%sx %s', calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 70)) ";
		return String.join("",
				this.sql.sql(text + OF_OTHERS + OF_ROWS + " ORDER BY calls DESC").query(String.class).list());
	}

	long calls(String fragment) {
		return of("sum(calls)", fragment);
	}

	long rows(String fragment) {
		return of("sum(rows)", fragment);
	}

	long buffers(String fragment) {
		return of("sum(shared_blks_hit + shared_blks_read)", fragment);
	}

	private long of(String sum, String fragment) {
		return this.sql.sql("SELECT coalesce(%s, 0)::bigint %s AND strpos(query, ?) > 0".formatted(sum, OF_OTHERS))
			.param(fragment)
			.query(Long.class)
			.single();
	}

	long commits() {
		return query("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
	}

	long ofJobTable(String column) {
		return query("SELECT %s FROM pg_stat_user_tables WHERE relname = 'jobqueue_job'".formatted(column));
	}

	private long query(String text) {
		return this.sql.sql(text).query(Long.class).single();
	}

}
