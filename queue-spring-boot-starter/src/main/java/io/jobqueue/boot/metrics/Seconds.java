package io.jobqueue.boot.metrics;

import java.time.Duration;

/**
 * The unit of what is measured.
 */
public final class Seconds {

	private static final double MILLIS = 1000.0;

	private Seconds() {
	}

	/**
	 * Return a duration as a number.
	 * @param duration the duration
	 * @return its seconds, with milliseconds
	 */
	public static double of(Duration duration) {
		return duration.toMillis() / MILLIS;
	}

}
