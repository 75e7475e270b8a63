package io.jobqueue.internal.signal;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Whether the tables of the queue hold nothing to do, as far as this JVM knows: the last
 * heartbeat has found that, and no wake-up has arrived since. Polls, alerts and
 * maintenance do not search again then. A job whose wake-up is lost is found by the next
 * heartbeat. Safe for use by several threads.
 */
public final class EmptyTables {

	/**
	 * Heartbeats are not exact to the millisecond: where the intervals are equal, one
	 * that is late by a twentieth still comes in time.
	 */
	private static final int TOLERANCE = 20;

	private long changed = System.nanoTime();

	private @Nullable Long since;

	private long confirmed;

	EmptyTables() {
	}

	synchronized void change() {
		this.changed = System.nanoTime();
		this.since = null;
	}

	/**
	 * Take the result of a heartbeat that has searched. If it began before the last
	 * wake-up, that it found nothing is ignored.
	 * @param empty whether it has found nothing to do; {@code false} if it failed
	 * @param begun when it began, by {@link System#nanoTime()}
	 * @return whether the tables were known to be empty and are not any more, without a
	 * wake-up
	 */
	public synchronized boolean checkedIn(boolean empty, long begun) {
		boolean before = this.since != null;
		if (!empty) {
			this.since = null;
		}
		else if (begun - this.changed > 0) {
			this.since = (this.since != null) ? this.since : begun;
			this.confirmed = begun;
		}
		return before && !empty;
	}

	/**
	 * Return whether a heartbeat has found nothing to do.
	 * @param within the interval in which the caller would search: earlier heartbeats do
	 * not count
	 * @return {@code true} if there is nothing to search for
	 */
	public synchronized boolean areEmpty(Duration within) {
		long age = System.nanoTime() - this.confirmed;
		return this.since != null && age < within.plus(within.dividedBy(TOLERANCE)).toNanos();
	}

	/**
	 * Return whether all heartbeats since a given time have found nothing to do.
	 * @param time the time, by {@link System#nanoTime()}
	 * @param within the interval in which the caller would search, as above
	 * @return {@code true} if a search since that time has found all there is
	 */
	public synchronized boolean haveBeenEmptySince(long time, Duration within) {
		return this.since != null && this.since - time <= 0 && areEmpty(within);
	}

}
