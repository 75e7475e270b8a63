package io.jobqueue.benchmark.timing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Time as all processes of this machine see it.
 */
public final class WallClock {

	private WallClock() {
	}

	/**
	 * Return the time. It may jump when the clock is set, and is no finer than the
	 * system's.
	 * @return microseconds since 1970 began in UTC
	 */
	public static long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
