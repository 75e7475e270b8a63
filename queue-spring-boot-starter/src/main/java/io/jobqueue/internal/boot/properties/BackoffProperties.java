package io.jobqueue.internal.boot.properties;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long a job waits after a failed attempt, such as {@code
 * jobqueue.defaults.backoff}.
 *
 * @param type How the delay grows with the number of the attempt that failed: polynomial
 * (attempt^4 + 5 s), exponential (min * factor^(attempt - 1), at most max), fixed (delay)
 * or list (delays).
 * @param delay Delay of the type fixed.
 * @param delays Comma-separated list of the delays of the type list; the last one
 * repeats.
 * @param min First delay of the type exponential.
 * @param max Longest delay of the type exponential.
 * @param factor Factor between two delays of the type exponential.
 * @param jitter Share of each delay, from 0 to 1, by which it is shortened or lengthened
 * at random.
 */
public record BackoffProperties(@DefaultValue("polynomial") Type type, @Nullable Duration delay,
		@DefaultValue List<Duration> delays, @Nullable Duration min, @Nullable Duration max,
		@DefaultValue("2") double factor, @DefaultValue("0") double jitter) {

	/**
	 * The backoff for which nothing is set.
	 */
	public static final BackoffProperties DEFAULT = new BackoffProperties(Type.POLYNOMIAL, null, List.of(), null, null,
			2, 0);

	/**
	 * How the delay grows.
	 */
	public enum Type {

		/**
		 * With the fourth power of the attempt.
		 */
		POLYNOMIAL,

		/**
		 * By the same factor each time.
		 */
		EXPONENTIAL,

		/**
		 * Not at all.
		 */
		FIXED,

		/**
		 * As listed.
		 */
		LIST

	}

}
