package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Has things said at once, and again not before an hour has passed.
 */
final class Reminder {

	static final Duration INTERVAL = Duration.ofHours(1);

	private final Map<String, Long> said = new HashMap<>();

	private final LongSupplier nanoTime;

	Reminder(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	/**
	 * Say something, unless that was said within the last hour.
	 */
	void say(String what, Runnable line) {
		long now = this.nanoTime.getAsLong();
		this.said.values().removeIf((time) -> now - time >= INTERVAL.toNanos());
		if (this.said.putIfAbsent(what, now) == null) {
			line.run();
		}
	}

}
