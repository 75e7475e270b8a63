package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.ResultSetExtractor;

import io.jobqueue.store.Outlook;

/**
 * Reads what an idle worker waits for from a row for each queue and priority.
 */
final class OutlookExtractor implements ResultSetExtractor<Outlook> {

	@Override
	public Outlook extractData(ResultSet rows) throws SQLException {
		Duration nextDueIn = null;
		Map<String, String> unknownTypes = new HashMap<>();
		while (rows.next()) {
			nextDueIn = sooner(nextDueIn, dueIn(rows));
			String unknownType = rows.getString("unknown_type");
			if (unknownType != null) {
				unknownTypes.put(rows.getString("queue"), unknownType);
			}
		}
		return new Outlook(nextDueIn, unknownTypes);
	}

	private static @Nullable Duration dueIn(ResultSet row) throws SQLException {
		double millis = row.getDouble("due_in_millis");
		return row.wasNull() ? null : Duration.ofMillis((long) Math.ceil(millis));
	}

	private static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
		if (one == null || other == null) {
			return (one != null) ? one : other;
		}
		return (one.compareTo(other) < 0) ? one : other;
	}

}
