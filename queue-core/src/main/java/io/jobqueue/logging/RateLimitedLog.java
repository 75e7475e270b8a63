package io.jobqueue.logging;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logs a line about a subject at most once an hour. Not thread-safe.
 */
public final class RateLimitedLog {

	/**
	 * The least time between two lines about one subject.
	 */
	public static final Duration INTERVAL = Duration.ofHours(1);

	private final Map<String, Long> logged = new HashMap<>();

	private final LongSupplier nanoTime;

	/**
	 * Create a log.
	 * @param nanoTime the clock, in nanoseconds
	 */
	public RateLimitedLog(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Log a line, unless one about the same subject was logged within the last hour.
	 * @param subject what the line is about
	 * @param line logs it
	 */
	public void log(String subject, Runnable line) {
		long now = this.nanoTime.getAsLong();
		this.logged.values().removeIf((time) -> now - time >= INTERVAL.toNanos());
		if (this.logged.putIfAbsent(subject, now) == null) {
			line.run();
		}
	}

}
