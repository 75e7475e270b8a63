package io.jobqueue.internal.recurring;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.concurrent.WakeableSleep;

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

	/**
	 * The longest transaction that saves a schedule whose tick every heartbeat finds if
	 * the notice of its commit is lost.
	 */
	private static final Duration LATE_COMMIT = Duration.ofMinutes(1);

	/**
	 * The time after which a heartbeat finds the ticks of longer transactions.
	 */
	private static final Duration FULL_LOOK = Duration.ofMinutes(10);

	/**
	 * The time between two looks at ticks that are too late.
	 */
	private static final Duration SWEEP = Duration.ofMinutes(10);

	private final WakeableSleep sleep = new WakeableSleep();

	private final Deadline scan = new Deadline();

	private final Deadline sweep = new Deadline();

	private @Nullable Long tickAt;

	private @Nullable Instant from;

	private boolean outdated;

	private int rank;

	private final Deadline fullLook = new Deadline();

	private @Nullable Instant lookedAt;

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
	 * Return where a heartbeat looks for the next tick from. The index entries of earlier
	 * ticks may be dead, and still be read while another session holds an old snapshot.
	 * @return the earliest next tick, {@code null} for any
	 */
	synchronized @Nullable Instant lookFrom() {
		if (this.lookedAt == null || this.from == null || this.fullLook.isDue()) {
			this.fullLook.reset(FULL_LOOK);
			return null;
		}
		Instant recent = this.lookedAt.minus(LATE_COMMIT);
		return this.from.isBefore(recent) ? this.from : recent;
	}

	/**
	 * Note the time of a heartbeat by the database's clock. The first one, and each that
	 * finds a sweep due, leads to a scan.
	 */
	synchronized void lookedAt(Instant at) {
		if (this.lookedAt == null) {
			this.sweep.reset(Duration.ZERO);
		}
		this.lookedAt = at;
		if (this.sweep.isDue()) {
			this.scan.within(staggered(Duration.ZERO));
			wake();
		}
	}

	/**
	 * Return whether the next scan begins with a sweep, once each 10 minutes.
	 */
	synchronized boolean beginSweep() {
		boolean due = this.sweep.isDue();
		if (due) {
			this.sweep.reset(SWEEP);
		}
		return due;
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
		this.scan.cancel();
		return this.from;
	}

	/**
	 * Set the next scan after one that found all due schedules.
	 * @param at the time of the scan by the database's clock
	 * @param nextAt the time of the next tick, {@code null} if there is none
	 * @param complete whether all due schedules were ticked
	 */
	synchronized void scanned(Instant at, @Nullable Instant nextAt, boolean complete) {
		Duration in = (nextAt != null) ? Duration.between(at, nextAt) : null;
		if (in != null) {
			this.scan.within(staggered(in));
		}
		if (!complete) {
			retryLocked();
		}
		else if (this.outdated) {
			this.scan.within(staggered(Duration.ZERO));
		}
		else {
			this.from = nextAt;
			this.tickAt = null;
			if (in != null) {
				expectTick(in);
			}
		}
	}

	/**
	 * Forget the next tick, which a stopped node does not wait for.
	 */
	synchronized void reset() {
		this.scan.cancel();
		this.from = null;
		this.tickAt = null;
		this.lookedAt = null;
	}

	synchronized void retry(Duration in) {
		this.scan.reset(in);
	}

	/**
	 * Scan again when a lock of another transaction may have ended.
	 */
	synchronized void retryLocked() {
		this.scan.within(LOCKED);
	}

	/**
	 * Return how late the next tick is.
	 * @return the time since the tick was due, zero if none is due
	 */
	synchronized Duration lateness() {
		return (this.tickAt != null) ? Duration.ofNanos(Math.max(0, System.nanoTime() - this.tickAt)) : Duration.ZERO;
	}

}
