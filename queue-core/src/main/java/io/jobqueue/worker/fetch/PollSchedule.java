package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

import io.jobqueue.concurrent.Deadline;

/**
 * When a worker claims or polls without a signal: it claims when the next known job is
 * due, and polls for the jobs whose signals were lost. The interval of polls doubles, up
 * to its maximum, while they find nothing and commits are known to wake the worker up;
 * otherwise it stays, since a missed job would wait for it. Workers take turns at
 * polling.
 */
public final class PollSchedule {

	/**
	 * The part of the interval by which polls are spread, so that not all are made at the
	 * full second.
	 */
	private static final double JITTER = 0.02;

	/**
	 * A poll is followed by a pause at least so many times as long, in which jobs are
	 * claimed, up to the longest interval, since a poll may also have waited for a
	 * connection.
	 */
	private static final int MIN_PAUSES = 40;

	private static final Duration LONGEST_SPREAD = Duration.ofSeconds(1);

	private final Duration interval;

	private final Duration maxInterval;

	private final BooleanSupplier wakeUpWorks;

	private final Deadline poll = new Deadline();

	private final Deadline claim = new Deadline();

	private final Deadline rested = new Deadline();

	private Duration current;

	private PollTurn turn = PollTurn.ALONE;

	/**
	 * Create a schedule whose first poll is due at once.
	 * @param interval the shortest interval of polls
	 * @param maxInterval the longest interval of polls
	 * @param wakeUpWorks whether signals of other nodes arrive
	 */
	public PollSchedule(Duration interval, Duration maxInterval, BooleanSupplier wakeUpWorks) {
		this.interval = interval;
		this.maxInterval = maxInterval;
		this.wakeUpWorks = wakeUpWorks;
		this.current = interval;
		this.rested.reset(Duration.ZERO);
		pollNow();
	}

	synchronized void pollNow() {
		this.poll.within(Duration.ZERO);
	}

	/**
	 * Poll at a random time within an interval, but of a second at most: the cause
	 * concerns all workers at once.
	 */
	synchronized void pollSoon() {
		long spread = shorter(this.interval, LONGEST_SPREAD).toNanos();
		Duration jitter = Duration.ofNanos(ThreadLocalRandom.current().nextLong(spread + 1));
		this.poll.within(longer(jitter, this.rested.remaining()));
	}

	/**
	 * Poll by turns from now on.
	 */
	synchronized void follow(PollTurn turn) {
		this.turn = turn;
		if (!this.wakeUpWorks.getAsBoolean()) {
			this.current = this.interval;
		}
		this.poll.within(nextPoll());
	}

	synchronized boolean isPollDue() {
		return this.poll.isDue();
	}

	/**
	 * Schedule the next poll.
	 * @param found whether this one found jobs
	 * @param took how long it took
	 */
	synchronized void polled(boolean found, Duration took) {
		boolean rarely = !found && this.wakeUpWorks.getAsBoolean();
		this.current = rarely ? shorter(this.current.multipliedBy(2), this.maxInterval) : this.interval;
		this.rested.reset(shorter(took.multipliedBy(MIN_PAUSES), this.maxInterval));
		this.poll.reset(nextPoll());
	}

	/**
	 * Claim after the given time at the latest.
	 */
	synchronized void claimWithin(Duration time) {
		this.claim.within(time);
	}

	/**
	 * Return whether a claim is due, once.
	 */
	synchronized boolean takeDueClaim() {
		boolean due = this.claim.isDue();
		if (due) {
			this.claim.cancel();
		}
		return due;
	}

	synchronized Duration remaining() {
		return shorter(this.poll.remaining(), this.claim.remaining());
	}

	private Duration nextPoll() {
		double jitter = ThreadLocalRandom.current().nextDouble(JITTER) * this.current.toNanos();
		Duration turn = this.turn.untilTurn(this.current).plusNanos((long) jitter);
		return longer(turn, this.rested.remaining());
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) >= 0) ? one : other;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

}
