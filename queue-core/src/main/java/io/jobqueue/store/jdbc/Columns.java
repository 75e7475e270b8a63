package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * How values look in a column.
 */
final class Columns {

	private static final JsonMapper JSON = new JsonMapper();

	private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {
	};

	private Columns() {
	}

	static @Nullable String ofHeaders(Map<String, String> headers) {
		return headers.isEmpty() ? null : JSON.writeValueAsString(headers);
	}

	static Map<String, String> headers(@Nullable String column) {
		return (column != null) ? Map.copyOf(JSON.readValue(column, HEADERS)) : Map.of();
	}

	static @Nullable Long ofDuration(@Nullable Duration duration) {
		return (duration != null) ? duration.toMillis() : null;
	}

	static @Nullable Long ofInstant(@Nullable Instant instant) {
		return (instant != null) ? ChronoUnit.MICROS.between(Instant.EPOCH, instant) : null;
	}

	static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

}
