package io.jobqueue.internal.logging;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Logs at most one line an hour for each subject. Not safe for use by several threads.
 */
public final class RateLimitedLog {

	/**
	 * The minimum time between two lines for the same subject.
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
	 * Log a line, unless one for the same subject was logged within the last hour.
	 * @param subject the subject of the line
	 * @param line logs the line
	 */
	public void log(String subject, Runnable line) {
		long now = this.nanoTime.getAsLong();
		this.logged.values().removeIf((time) -> now - time >= INTERVAL.toNanos());
		if (this.logged.putIfAbsent(subject, now) == null) {
			line.run();
		}
	}

}
