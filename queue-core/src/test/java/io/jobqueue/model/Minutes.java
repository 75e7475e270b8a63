package io.jobqueue.model;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Durations in minutes.
 */
final class Minutes {

	private Minutes() {
	}

	/**
	 * Return a duration in minutes, rounded up: some time has passed since it began.
	 */
	static @Nullable Integer of(@Nullable Duration duration) {
		return (duration != null) ? Integer.valueOf((int) duration.plusMinutes(1).minusNanos(1).toMinutes()) : null;
	}

	static @Nullable Duration duration(@Nullable Integer minutes) {
		return (minutes != null) ? Duration.ofMinutes(minutes) : null;
	}

}
