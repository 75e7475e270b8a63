package io.jobqueue.benchmark.timing;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Time as all processes of this machine see it.
 */
public final class WallClock {

	private WallClock() {
	}

	public static long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
