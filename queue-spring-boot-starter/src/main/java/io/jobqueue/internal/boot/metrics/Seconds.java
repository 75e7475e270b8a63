package io.jobqueue.internal.boot.metrics;

import java.time.Duration;

/**
 * Base unit of the meters.
 */
final class Seconds {

	private static final double MILLIS = 1000.0;

	private Seconds() {
	}

	/**
	 * Return the seconds of a duration, to the millisecond.
	 */
	static double of(Duration duration) {
		return duration.toMillis() / MILLIS;
	}

}
