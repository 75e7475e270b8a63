package io.jobqueue.internal.handler;

import java.time.Duration;

/**
 * How many jobs one call of a handler takes, and for how long it waits for them.
 *
 * @param size the maximum number of jobs
 * @param maxWait the maximum time from the first job until the call begins
 */
public record BatchLimits(int size, Duration maxWait) {

	static final int MIN_SIZE = 2;

	/**
	 * The largest number of jobs of a call.
	 */
	public static final int MAX_SIZE = 1_000;

	static final Duration DEFAULT_WAIT = Duration.ofMillis(20);

	static final Duration MAX_WAIT = Duration.ofMillis(500);

}
