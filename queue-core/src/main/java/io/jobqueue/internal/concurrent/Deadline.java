package io.jobqueue.internal.concurrent;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A point in time that can be reset and moved forward. Not safe for use by several
 * threads.
 */
public final class Deadline {

	private static final Duration NEVER = Duration.ofDays(1);

	private @Nullable Long at;

	/**
	 * Set the deadline, replacing the previous one.
	 * @param in the time from now until the deadline
	 */
	public void reset(Duration in) {
		this.at = System.nanoTime() + in.toNanos();
	}

	/**
	 * Move the deadline to an earlier time; a deadline that is already earlier is kept.
	 * @param time the time from now until the deadline
	 */
	public void within(Duration time) {
		if (time.compareTo(remaining()) < 0) {
			reset(time);
		}
	}

	/**
	 * Remove the deadline.
	 */
	public void cancel() {
		this.at = null;
	}

	/**
	 * Return whether the deadline has passed.
	 * @return {@code true} if it has passed; {@code false} if there is none
	 */
	public boolean isDue() {
		return remaining().isZero();
	}

	/**
	 * Return the time until the deadline.
	 * @return the time, zero if the deadline has passed, 1 day if there is none
	 */
	public Duration remaining() {
		return (this.at != null) ? Duration.ofNanos(Math.max(0, this.at - System.nanoTime())) : NEVER;
	}

}
