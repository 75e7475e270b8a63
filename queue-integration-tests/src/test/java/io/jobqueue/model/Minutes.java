package io.jobqueue.model;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Durations in minutes.
 */
final class Minutes {

	private static final Duration SPARE = Duration.ofSeconds(2);

	private Minutes() {
	}

	/**
	 * Return a duration in minutes, rounded up: some time has passed since it began.
	 */
	static @Nullable Integer of(@Nullable Duration duration) {
		return (duration != null) ? Integer.valueOf((int) duration.plusMinutes(1).minusNanos(1).toMinutes()) : null;
	}

	/**
	 * Return the run time whose lease lasts so many minutes: leases are a little longer.
	 */
	static Duration runTime(int minutes) {
		return Duration.ofMinutes(minutes).minus(SPARE);
	}

	static int ofRunTime(Duration runTime) {
		return (int) runTime.plus(SPARE).toMinutes();
	}

	static @Nullable Duration duration(@Nullable Integer minutes) {
		return (minutes != null) ? Duration.ofMinutes(minutes) : null;
	}

}
