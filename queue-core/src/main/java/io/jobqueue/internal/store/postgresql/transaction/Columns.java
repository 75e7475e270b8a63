package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.JobPosition;
import io.jobqueue.internal.store.StorableDuration;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Converts values from and to columns.
 */
public final class Columns {

	/**
	 * The lowest id, which no job has.
	 */
	public static final UUID LOWEST_ID = new UUID(0, 0);

	private static final int NANOS_PER_MILLI = 1_000_000;

	private static final long MICROS_PER_SECOND = 1_000_000;

	private static final long NANOS_PER_MICRO = 1_000;

	private Columns() {
	}

	/**
	 * Return a duration in milliseconds, like {@link #millis(Duration)}.
	 * @param duration the duration
	 * @return the number, {@code null} for {@code null}
	 */
	public static @Nullable Long ofDuration(@Nullable Duration duration) {
		return (duration != null) ? millis(duration) : null;
	}

	/**
	 * Return a duration in milliseconds, rounded up so that no job is due early. A
	 * duration of more than 36,500 days becomes 36,500 days, so that the database can add
	 * it to every stored time.
	 * @param duration the duration
	 * @return the number of milliseconds
	 */
	public static long millis(Duration duration) {
		return StorableDuration.shortened(duration).plusNanos(NANOS_PER_MILLI - 1).toMillis();
	}

	/**
	 * Return a time in microseconds since the epoch, rounded up.
	 * {@code ChronoUnit.MICROS.between} is not used because it overflows for times after
	 * the year 2262.
	 * @param instant the time
	 * @return the number, {@code null} for {@code null}
	 */
	public static @Nullable Long ofInstant(@Nullable Instant instant) {
		return (instant != null) ? instant.getEpochSecond() * MICROS_PER_SECOND + (instant.getNano() + 999) / 1_000
				: null;
	}

	/**
	 * Return a time from its seconds since the epoch. A double has a precision of less
	 * than a microsecond for current times.
	 * @param seconds the seconds
	 * @return the time
	 */
	public static Instant instantOfSeconds(double seconds) {
		return instant(Math.round(seconds * MICROS_PER_SECOND));
	}

	/**
	 * Return a time from its microseconds since the epoch.
	 * @param micros the microseconds
	 * @return the time
	 */
	public static Instant instant(long micros) {
		return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS_PER_SECOND),
				Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO);
	}

	/**
	 * Return the time until a job is due, from the column {@code due_in_millis}.
	 * @param row the row
	 * @return the time, rounded up and not negative, {@code null} for NULL
	 * @throws SQLException if there is no such column
	 */
	public static @Nullable Duration dueIn(ResultSet row) throws SQLException {
		return fromNow(row, "due_in_millis");
	}

	/**
	 * Return the duration that a column holds in milliseconds.
	 * @param row the row
	 * @param column the name of the column
	 * @return the duration, rounded up and not negative, {@code null} for NULL
	 * @throws SQLException if there is no such column
	 */
	public static @Nullable Duration fromNow(ResultSet row, String column) throws SQLException {
		double millis = row.getDouble(column);
		return row.wasNull() ? null : Duration.ofMillis(Math.max(0, (long) Math.ceil(millis)));
	}

	/**
	 * Return the tier of a row, from the columns {@code queue} and {@code priority}.
	 * @param row the row
	 * @return the tier
	 * @throws SQLException if a column is missing
	 */
	public static Tier tier(ResultSet row) throws SQLException {
		return new Tier(row.getString("queue"), row.getInt("priority"));
	}

	/**
	 * Return the position of a row, from the columns {@code run_at} and {@code seq}.
	 * @param row the row
	 * @return the position
	 * @throws SQLException if a column is missing
	 */
	public static JobPosition position(ResultSet row) throws SQLException {
		return new JobPosition(instant(row, "run_at"), row.getLong("seq"));
	}

	/**
	 * Return a wake-up from the tier, the position and the columns {@code due_in_millis}
	 * and {@code pending} of a row.
	 * @param row the row
	 * @return the wake-up
	 * @throws SQLException if a column is missing
	 */
	public static JobsAvailable jobsAvailable(ResultSet row) throws SQLException {
		Duration dueIn = dueIn(row);
		return new JobsAvailable(tier(row), position(row), (dueIn != null) ? dueIn : Duration.ZERO,
				row.getBoolean("pending"));
	}

	/**
	 * Return the time in a column.
	 * @param row the row
	 * @param column the name of the column, which is not NULL
	 * @return the time
	 * @throws SQLException if there is no such column
	 */
	public static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	/**
	 * Return a time that may be NULL.
	 * @param row the row
	 * @param column the name of the column
	 * @return the time, {@code null} for NULL
	 * @throws SQLException if the column is missing
	 */
	public static @Nullable Instant nullableInstant(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
