package io.jobqueue.concurrent;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A point in time, which may be brought forward.
 */
public final class Deadline {

	private static final Duration NEVER = Duration.ofDays(1);

	private @Nullable Long at;

	public void reset(Duration in) {
		this.at = System.nanoTime() + in.toNanos();
	}

	public void within(Duration time) {
		if (time.compareTo(remaining()) < 0) {
			reset(time);
		}
	}

	public void cancel() {
		this.at = null;
	}

	public boolean isDue() {
		return remaining().isZero();
	}

	/**
	 * Return how long until then; never is a long time.
	 */
	public Duration remaining() {
		return (this.at != null) ? Duration.ofNanos(Math.max(0, this.at - System.nanoTime())) : NEVER;
	}

}
