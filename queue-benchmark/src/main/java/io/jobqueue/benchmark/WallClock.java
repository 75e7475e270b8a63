package io.jobqueue.benchmark;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Time as all processes of this machine see it.
 */
final class WallClock {

	private WallClock() {
	}

	static long micros() {
		return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
	}

}
