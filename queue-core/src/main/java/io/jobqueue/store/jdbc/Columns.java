package io.jobqueue.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.JobPosition;
import io.jobqueue.store.Tier;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * How values look in a column.
 */
final class Columns {

	static final Duration LONGEST = Duration.ofDays(36_500);

	private static final int NANOS_PER_MILLI = 1_000_000;

	private static final double MICROS_PER_SECOND = 1e6;

	private Columns() {
	}

	static @Nullable Long ofDuration(@Nullable Duration duration) {
		return (duration != null) ? millis(duration) : null;
	}

	/**
	 * Rounded up: nothing is due before its time. More than 36,500 days are as many, so
	 * that the database can add them to any time that the tables hold.
	 */
	static long millis(Duration duration) {
		return (duration.compareTo(LONGEST) < 0) ? duration.plusNanos(NANOS_PER_MILLI - 1).toMillis()
				: LONGEST.toMillis();
	}

	/**
	 * The time in microseconds, rounded up; {@code ChronoUnit} would count nanoseconds on
	 * the way, which end in 2262.
	 */
	static @Nullable Long ofInstant(@Nullable Instant instant) {
		return (instant != null) ? instant.getEpochSecond() * 1_000_000 + (instant.getNano() + 999) / 1_000 : null;
	}

	/**
	 * A double holds the seconds of our times to less than a microsecond.
	 */
	static Instant instantOfSeconds(double seconds) {
		return instant(Math.round(seconds * MICROS_PER_SECOND));
	}

	static Instant instant(long micros) {
		return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
	}

	/**
	 * Return the time until something is due, rounded up, {@code null} where nothing is.
	 */
	static @Nullable Duration dueIn(ResultSet row) throws SQLException {
		return fromNow(row, "due_in_millis");
	}

	static @Nullable Duration fromNow(ResultSet row, String column) throws SQLException {
		double millis = row.getDouble(column);
		return row.wasNull() ? null : Duration.ofMillis(Math.max(0, (long) Math.ceil(millis)));
	}

	static Tier tier(ResultSet row) throws SQLException {
		return new Tier(row.getString("queue"), row.getInt("priority"));
	}

	static JobPosition position(ResultSet row) throws SQLException {
		return new JobPosition(instant(row, "run_at"), row.getLong("seq"));
	}

	static JobsAvailable arrival(ResultSet row) throws SQLException {
		Duration dueIn = dueIn(row);
		return new JobsAvailable(tier(row), position(row), (dueIn != null) ? dueIn : Duration.ZERO,
				row.getBoolean("gated"));
	}

	static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

}
