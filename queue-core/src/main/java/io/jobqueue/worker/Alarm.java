package io.jobqueue.worker;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A point in time, which may be brought forward.
 */
final class Alarm {

	private static final Duration NEVER = Duration.ofDays(1);

	private @Nullable Long at;

	void reset(Duration in) {
		this.at = System.nanoTime() + in.toNanos();
	}

	void within(Duration time) {
		if (time.compareTo(remaining()) < 0) {
			reset(time);
		}
	}

	void cancel() {
		this.at = null;
	}

	boolean isDue() {
		return remaining().isZero();
	}

	/**
	 * Return how long until then; never is a long time.
	 */
	Duration remaining() {
		return (this.at != null) ? Duration.ofNanos(Math.max(0, this.at - System.nanoTime())) : NEVER;
	}

}
