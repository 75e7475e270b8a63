package io.jobqueue.concurrent;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A point in time, which can be set again and brought forward. It is not safe for use by
 * several threads.
 */
public final class Deadline {

	private static final Duration NEVER = Duration.ofDays(1);

	private @Nullable Long at;

	/**
	 * Set the deadline, in place of the one before.
	 * @param in the time until then
	 */
	public void reset(Duration in) {
		this.at = System.nanoTime() + in.toNanos();
	}

	/**
	 * Bring the deadline forward, unless it is earlier.
	 * @param time the time until then
	 */
	public void within(Duration time) {
		if (time.compareTo(remaining()) < 0) {
			reset(time);
		}
	}

	/**
	 * Have no deadline.
	 */
	public void cancel() {
		this.at = null;
	}

	/**
	 * Return whether the deadline has passed.
	 * @return {@code true} if it has
	 */
	public boolean isDue() {
		return remaining().isZero();
	}

	/**
	 * Return the time until the deadline.
	 * @return the time, zero if the deadline has passed, a day if there is none
	 */
	public Duration remaining() {
		return (this.at != null) ? Duration.ofNanos(Math.max(0, this.at - System.nanoTime())) : NEVER;
	}

}
