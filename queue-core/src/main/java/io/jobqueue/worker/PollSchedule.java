package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * When an idle worker looks for jobs unasked. The interval doubles while nothing is found
 * and commits are known to wake the worker up; otherwise it stays, since a missed job
 * would wait for it. Jitter keeps nodes apart.
 */
final class PollSchedule {

	private static final double JITTER = 0.2;

	private final Duration interval;

	private final Duration maxInterval;

	private final BooleanSupplier wakeUpWorks;

	private Duration current;

	private long next = System.nanoTime();

	PollSchedule(Duration interval, Duration maxInterval, BooleanSupplier wakeUpWorks) {
		this.interval = interval;
		this.maxInterval = maxInterval;
		this.wakeUpWorks = wakeUpWorks;
		this.current = interval;
	}

	synchronized boolean isDue() {
		return this.next - System.nanoTime() <= 0;
	}

	synchronized Duration remaining() {
		return Duration.ofNanos(Math.max(0, this.next - System.nanoTime()));
	}

	/**
	 * Poll at the latest after the given time.
	 */
	synchronized void within(Duration time) {
		long candidate = System.nanoTime() + Math.min(time.toNanos(), this.maxInterval.toNanos());
		if (candidate - this.next < 0) {
			this.next = candidate;
		}
	}

	/**
	 * Schedule the next poll after a look that did or did not find jobs.
	 */
	synchronized void looked(boolean found) {
		boolean rarely = !found && this.wakeUpWorks.getAsBoolean();
		Duration doubled = this.current.multipliedBy(2);
		Duration longest = (doubled.compareTo(this.maxInterval) < 0) ? doubled : this.maxInterval;
		this.current = rarely ? longest : this.interval;
		double share = 1 - ThreadLocalRandom.current().nextDouble(JITTER);
		this.next = System.nanoTime() + (long) (this.current.toNanos() * share);
	}

}
