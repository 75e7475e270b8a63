package io.jobqueue.recurring;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.concurrent.Deadline;
import io.jobqueue.concurrent.WakeableSleep;
import io.jobqueue.store.RecurringStore;
import io.jobqueue.store.RecurringStore.Scan;

/**
 * The time of the next scan for due schedules, and the place where it begins. Heartbeats
 * and notices only move the scan to an earlier time; a scan sets the next one.
 */
final class TickTimer {

	/**
	 * Nodes scan one after the other, so that usually the first one finds what is due.
	 */
	private static final Duration STAGGER = Duration.ofMillis(20);

	private static final int MAX_RANK = 5;

	/**
	 * The time until schedules that another transaction has locked are tried again.
	 */
	private static final Duration LOCKED = Duration.ofSeconds(1);

	private final WakeableSleep sleep = new WakeableSleep();

	private final Deadline scan = new Deadline();

	private @Nullable Long tickAt;

	private @Nullable Instant from;

	/**
	 * The earliest next tick of the schedules that the current scan has ticked, which its
	 * snapshot does not show.
	 */
	private @Nullable Instant following;

	private boolean outdated;

	private int rank;

	/**
	 * Wait until a scan is due or {@link #wake} is called.
	 * @return whether a scan is due
	 */
	boolean await() throws InterruptedException {
		Duration remaining = remaining();
		return remaining.isZero() || (!this.sleep.sleep(remaining) && remaining().isZero());
	}

	void wake() {
		this.sleep.wake();
	}

	private synchronized Duration remaining() {
		return this.scan.remaining();
	}

	synchronized void rank(int place) {
		this.rank = Math.min(place, MAX_RANK);
	}

	/**
	 * Note a tick, which may be earlier than the next known one.
	 * @param in the time until the tick, not positive if it is due
	 * @param at its time by the database's clock, {@code null} if unknown
	 */
	synchronized void expect(Duration in, @Nullable Instant at) {
		if (at == null || this.from == null || at.isBefore(this.from)) {
			this.from = null;
			this.outdated = true;
		}
		expectTick(in);
		this.scan.within(staggered(in.isNegative() ? Duration.ZERO : in));
		wake();
	}

	private void expectTick(Duration in) {
		long at = System.nanoTime() + in.toNanos();
		if (this.tickAt == null || at - this.tickAt < 0) {
			this.tickAt = at;
		}
	}

	private Duration staggered(Duration in) {
		return in.plus(STAGGER.multipliedBy(this.rank));
	}

	/**
	 * Begin a scan. Ticks that are noted until it ends may not be in its snapshot.
	 * @return the earliest next tick of the schedules to scan, {@code null} for all
	 */
	synchronized @Nullable Instant begin() {
		this.outdated = false;
		this.following = null;
		this.scan.cancel();
		return this.from;
	}

	/**
	 * Note the next tick of a schedule that the current scan has ticked.
	 * @param nextAt its time, {@code null} for never
	 */
	synchronized void ticked(@Nullable Instant nextAt) {
		this.following = earliest(this.following, nextAt);
	}

	private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
		return (one == null || (other != null && other.isBefore(one))) ? other : one;
	}

	/**
	 * Set the next scan.
	 * @param found the result of the scan
	 * @param ticked the number of its due schedules that were ticked
	 */
	synchronized void scanned(Scan found, int ticked) {
		int due = found.due().size();
		if (ticked < due) {
			this.scan.within(LOCKED);
		}
		else if (due == RecurringStore.MAX_DUE) {
			this.scan.within(Duration.ZERO);
		}
		else if (this.outdated) {
			this.scan.within(staggered(Duration.ZERO));
		}
		else {
			rest(found);
		}
	}

	private void rest(Scan found) {
		this.from = earliest(found.nextAt(), this.following);
		this.tickAt = null;
		if (this.from != null) {
			Duration in = Duration.between(found.at(), this.from);
			expectTick(in);
			this.scan.within(staggered(in));
		}
	}

	synchronized void retry(Duration in) {
		this.scan.reset(in);
	}

	/**
	 * Return how late the next tick is.
	 * @return the time since the tick was due, zero if none is due
	 */
	synchronized Duration lateness() {
		return (this.tickAt != null) ? Duration.ofNanos(Math.max(0, System.nanoTime() - this.tickAt)) : Duration.ZERO;
	}

}
