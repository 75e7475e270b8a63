package io.jobqueue.logging;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Has things said at once, and again not before an hour has passed.
 */
public final class RateLimitedLog {

	public static final Duration INTERVAL = Duration.ofHours(1);

	private final Map<String, Long> said = new HashMap<>();

	private final LongSupplier nanoTime;

	public RateLimitedLog(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Say something, unless that was said within the last hour.
	 */
	public void say(String what, Runnable line) {
		long now = this.nanoTime.getAsLong();
		this.said.values().removeIf((time) -> now - time >= INTERVAL.toNanos());
		if (this.said.putIfAbsent(what, now) == null) {
			line.run();
		}
	}

}
