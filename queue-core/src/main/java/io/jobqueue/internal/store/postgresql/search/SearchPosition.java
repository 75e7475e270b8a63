package io.jobqueue.internal.store.postgresql.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

import io.jobqueue.internal.store.StorableText;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;

/**
 * The position of a search: among live jobs in the order of claims, or among archived
 * ones in the order of their ids.
 *
 * @param queue the queue, empty for the position before the first one, {@code null} among
 * archived jobs
 * @param priority the value of the priority
 * @param runAtMicros the time a job at this position is due in microseconds since the
 * epoch, {@code null} for infinity
 * @param seq its sequence number, in the order of enqueueing
 * @param id its id
 */
record SearchPosition(@Nullable String queue, int priority, @Nullable Long runAtMicros, long seq, UUID id) {

	private static final String LIVE = "live";

	private static final String ARCHIVED = "done";

	private static final String NEVER = "never";

	/**
	 * Queue names do not contain it.
	 */
	private static final String SEPARATOR = ".";

	private static final int LIVE_PARTS = 6;

	private static final int ID_BITS_AFTER_MILLIS = 16;

	/**
	 * The first day that a timestamp of the database can hold.
	 */
	private static final long MIN_MICROS = -210_866_803_200_000_000L;

	/**
	 * A time near the last one that a timestamp of the database can hold.
	 */
	private static final long MAX_MICROS = 9_200_000_000_000_000_000L;

	static final SearchPosition NEWEST_ARCHIVED = archived(new UUID(-1, -1));

	static final SearchPosition OLDEST_ARCHIVED = archived(Columns.LOWEST_ID);

	static SearchPosition beforeQueue(String queue) {
		return new SearchPosition(queue, -1, 0L, 0, Columns.LOWEST_ID);
	}

	/**
	 * Return the position of archived jobs that were enqueued some time before another id
	 * was made. Ids begin with 48 bits of milliseconds.
	 */
	static SearchPosition since(UUID id, Duration before) {
		return archived(new UUID(Math.max(0, millis(id) - before.toMillis()) << ID_BITS_AFTER_MILLIS, 0));
	}

	private static long millis(UUID id) {
		return id.getMostSignificantBits() >>> ID_BITS_AFTER_MILLIS;
	}

	private static SearchPosition archived(UUID id) {
		return new SearchPosition(null, 0, null, 0, id);
	}

	/**
	 * Return the position in the columns of a row whose names begin with a prefix.
	 */
	static SearchPosition of(ResultSet row, String prefix, boolean archived) throws SQLException {
		UUID id = row.getObject(prefix + "id", UUID.class);
		return archived ? archived(id)
				: new SearchPosition(row.getString(prefix + "queue"), row.getInt(prefix + "priority"),
						row.getObject(prefix + "micros", Long.class), row.getLong(prefix + "seq"), id);
	}

	static SearchPosition parse(String text) {
		try {
			String[] parts = text.split("\\.", -1);
			if (parts.length == 2 && parts[0].equals(ARCHIVED)) {
				return archived(UUID.fromString(parts[1]));
			}
			if (parts.length == LIVE_PARTS && parts[0].equals(LIVE)) {
				return live(parts);
			}
		}
		catch (IllegalArgumentException ex) {
			throw unknown(text, ex);
		}
		throw unknown(text, null);
	}

	/**
	 * A NUL is checked because text values of the database cannot contain it.
	 */
	private static SearchPosition live(String[] parts) {
		Assert.isTrue(StorableText.isStorable(parts[1]), "The queue name is invalid");
		return new SearchPosition(parts[1], Short.parseShort(parts[2]),
				parts[3].equals(NEVER) ? null : micros(parts[3]), Long.parseLong(parts[4]), UUID.fromString(parts[5]));
	}

	private static long micros(String text) {
		long micros = Long.parseLong(text);
		Assert.isTrue(micros >= MIN_MICROS && micros <= MAX_MICROS, "The time is out of range");
		return micros;
	}

	private static IllegalArgumentException unknown(String text, @Nullable Exception cause) {
		return new IllegalArgumentException(
				"'%s' is not the start of a page: use the position that the page before it has returned"
					.formatted(text),
				cause);
	}

	void set(Parameters parameters) throws SQLException {
		parameters.text(this.queue).value(this.priority).number(this.runAtMicros).number(this.seq).value(this.id);
	}

	boolean isOlderThan(SearchPosition other) {
		return millis(this.id) < millis(other.id);
	}

	boolean isArchived() {
		return this.queue == null;
	}

	@Override
	public String toString() {
		return (this.queue == null) ? ARCHIVED + SEPARATOR + this.id
				: String.join(SEPARATOR, LIVE, this.queue, String.valueOf(this.priority),
						(this.runAtMicros != null) ? this.runAtMicros.toString() : NEVER, String.valueOf(this.seq),
						this.id.toString());
	}

}
