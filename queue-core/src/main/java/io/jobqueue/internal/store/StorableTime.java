package io.jobqueue.internal.store;

import java.time.Instant;

import org.springframework.util.Assert;

/**
 * The times that the database can store. Its range is smaller than that of
 * {@link Instant}.
 */
public final class StorableTime {

	/**
	 * The latest one: the end of the year 9999.
	 */
	public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

	private StorableTime() {
	}

	/**
	 * Read a time.
	 * @param text the time, such as {@code 2026-11-21T12:00:00Z}
	 * @return the time
	 * @throws java.time.DateTimeException if the text is no time
	 * @throws IllegalArgumentException if the time is before 1970 or after the year 9999
	 */
	public static Instant parse(String text) {
		Instant time = Instant.parse(text);
		Assert.isTrue(!time.isBefore(Instant.EPOCH) && !time.isAfter(LATEST), "out of range");
		return time;
	}

}
