package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

import io.jobqueue.concurrent.Deadline;

/**
 * When a worker looks for jobs unasked: when the next one that it knows of is due, and
 * now and then, in a poll, for those that it was not told of. The interval of polls
 * doubles while they find nothing and commits are known to wake the worker up, however
 * many these are; otherwise it stays, since a missed job would wait for it. Workers take
 * turns at polling.
 */
final class PollSchedule {

	/**
	 * A part of the interval, so that not all polls are made at the full second.
	 */
	private static final double JITTER = 0.02;

	/**
	 * A poll that takes long is followed by a pause so many times as long, in which jobs
	 * are claimed; but never by one beyond the longest interval, since a poll may also
	 * have waited for a connection.
	 */
	private static final int MIN_PAUSES = 40;

	private static final Duration LONGEST_SPREAD = Duration.ofSeconds(1);

	private final Duration interval;

	private final Duration maxInterval;

	private final BooleanSupplier wakeUpWorks;

	private final Deadline poll = new Deadline();

	private final Deadline look = new Deadline();

	private final Deadline rested = new Deadline();

	private Duration current;

	private PollTurn rota = PollTurn.ALONE;

	PollSchedule(Duration interval, Duration maxInterval, BooleanSupplier wakeUpWorks) {
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
	 * BacklogScan at a random time within an interval, but of a second at most: what
	 * calls for it calls all workers.
	 */
	synchronized void pollSoon() {
		long spread = shorter(this.interval, LONGEST_SPREAD).toNanos();
		Duration jitter = Duration.ofNanos(ThreadLocalRandom.current().nextLong(spread + 1));
		this.poll.within(longer(jitter, this.rested.remaining()));
	}

	/**
	 * BacklogScan by turns from now on.
	 */
	synchronized void follow(PollTurn rota) {
		this.rota = rota;
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
	 * Look at the latest after the given time.
	 */
	synchronized void lookWithin(Duration time) {
		this.look.within(time);
	}

	/**
	 * Return whether to look now, once.
	 */
	synchronized boolean takeLook() {
		boolean due = this.look.isDue();
		if (due) {
			this.look.cancel();
		}
		return due;
	}

	synchronized Duration remaining() {
		return shorter(this.poll.remaining(), this.look.remaining());
	}

	private Duration nextPoll() {
		double jitter = ThreadLocalRandom.current().nextDouble(JITTER) * this.current.toNanos();
		Duration turn = this.rota.untilTurn(this.current).plusNanos((long) jitter);
		return longer(turn, this.rested.remaining());
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) >= 0) ? one : other;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

}
