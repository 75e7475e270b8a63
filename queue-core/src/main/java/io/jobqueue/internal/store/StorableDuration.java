package io.jobqueue.internal.store;

import java.time.Duration;

/**
 * The durations that the database can add to every stored time.
 */
public final class StorableDuration {

	/**
	 * The longest one: 36,500 days.
	 */
	public static final Duration LONGEST = Duration.ofDays(36_500);

	private StorableDuration() {
	}

	/**
	 * Return whether a duration is not too long.
	 * @param duration the duration
	 * @return {@code false} if it is longer than 36,500 days
	 */
	public static boolean isStorable(Duration duration) {
		return duration.compareTo(LONGEST) <= 0;
	}

	/**
	 * Limit a duration to 36,500 days.
	 * @param duration the duration
	 * @return the duration, at most 36,500 days
	 */
	public static Duration shortened(Duration duration) {
		return isStorable(duration) ? duration : LONGEST;
	}

}
