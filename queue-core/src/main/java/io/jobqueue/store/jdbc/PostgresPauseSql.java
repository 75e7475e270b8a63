package io.jobqueue.store.jdbc;

/**
 * What is paused on PostgreSQL. A pause of all types has none.
 */
final class PostgresPauseSql {

	static final String PAUSED = """
			SELECT queue, nullif(type, '') AS type, paused_at, paused_by FROM jobqueue_pause ORDER BY queue, type
			""";

	/**
	 * With the number that a heartbeat hears.
	 */
	static final String PAUSED_WORK = """
			SELECT queue, nullif(type, '') AS type, bit_xor(hashtextextended(queue || ' ' || type, 0)) OVER () AS number
			FROM jobqueue_pause
			""";

	static final String PAUSE = """
			INSERT INTO jobqueue_pause (queue, type, paused_at, paused_by) VALUES (?, ?, statement_timestamp(), ?)
			ON CONFLICT (queue, type) DO NOTHING
			""";

	static final String RESUME = """
			DELETE FROM jobqueue_pause WHERE queue = ? AND type = ?
			""";

	private PostgresPauseSql() {
	}

}
