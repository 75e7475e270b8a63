package io.jobqueue.internal.store.postgresql.schema;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings after whose time the server ends a session that is in a transaction.
 *
 * @param values the values by name; a setting that is off, or that the server does not
 * have, is missing
 */
public record TransactionTimeouts(Map<String, Duration> values) {

	/**
	 * Timeouts that are all off.
	 */
	public static final TransactionTimeouts NONE = new TransactionTimeouts(Map.of());

	static final String IDLE = "idle_in_transaction_session_timeout";

	/**
	 * Exists since PostgreSQL 17.
	 */
	static final String WHOLE = "transaction_timeout";

	static TransactionTimeouts of(ResultSet row) throws SQLException {
		Map<String, Duration> values = new TreeMap<>();
		for (String name : new String[] { IDLE, WHOLE }) {
			long millis = row.getLong(name);
			if (millis > 0) {
				values.put(name, Duration.ofMillis(millis));
			}
		}
		return new TransactionTimeouts(values);
	}

}
