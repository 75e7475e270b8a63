package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * When a worker looks for jobs unasked: when the next one that it knows of is due, and
 * now and then, in a poll, for those that it was not told of. The interval of polls
 * doubles while they find nothing and commits are known to wake the worker up; otherwise
 * it stays, since a missed job would wait for it. Jitter keeps nodes apart.
 */
final class PollSchedule {

	private static final double JITTER = 0.2;

	/**
	 * A poll that takes long is followed by a pause so many times as long, in which jobs
	 * are claimed.
	 */
	private static final int MIN_PAUSES = 20;

	private final Duration interval;

	private final Duration maxInterval;

	private final BooleanSupplier wakeUpWorks;

	private final Alarm poll = new Alarm();

	private final Alarm look = new Alarm();

	private Duration current;

	PollSchedule(Duration interval, Duration maxInterval, BooleanSupplier wakeUpWorks) {
		this.interval = interval;
		this.maxInterval = maxInterval;
		this.wakeUpWorks = wakeUpWorks;
		this.current = interval;
		pollNow();
	}

	synchronized void pollNow() {
		this.poll.within(Duration.ZERO);
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
		this.poll.reset(longer(jittered(), took.multipliedBy(MIN_PAUSES)));
	}

	/**
	 * Note that jobs were claimed: a poll is due an interval from now, if not earlier.
	 */
	synchronized void foundJobs() {
		this.current = this.interval;
		this.poll.within(jittered());
	}

	/**
	 * Look at the latest after the given time, unless a poll does so.
	 */
	synchronized void lookWithin(Duration time) {
		if (time.compareTo(this.maxInterval) <= 0) {
			this.look.within(time);
		}
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

	private Duration jittered() {
		double share = 1 - ThreadLocalRandom.current().nextDouble(JITTER);
		return Duration.ofNanos((long) (this.current.toNanos() * share));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) >= 0) ? one : other;
	}

	private static Duration shorter(Duration one, Duration other) {
		return (one.compareTo(other) <= 0) ? one : other;
	}

}
