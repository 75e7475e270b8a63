package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * How values look in a column.
 */
final class Columns {

	private Columns() {
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
