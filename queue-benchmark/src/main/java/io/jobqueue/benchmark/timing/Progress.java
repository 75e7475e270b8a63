package io.jobqueue.benchmark.timing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what is done and notes the time at given counts, so that there are rates for
 * parts of a run. The first note is taken when work has begun: how long starting takes is
 * left out.
 */
public final class Progress {

	private static final long PATIENCE_MINUTES = 15;

	private final int[] targets;

	private final long[] nanos;

	private final long[] counts;

	private final AtomicLong done = new AtomicLong();

	private final CountDownLatch ahead;

	/**
	 * Expect work.
	 * @param targets the counts at which the time is noted, ascending
	 */
	public Progress(int... targets) {
		this.targets = targets.clone();
		this.nanos = new long[targets.length];
		this.counts = new long[targets.length];
		this.ahead = new CountDownLatch(targets.length);
	}

	/**
	 * Expect jobs, and note the time when the first and the last of them is done.
	 */
	public static Progress of(int jobs) {
		return new Progress(1, jobs);
	}

	/**
	 * Expect jobs, and note the time after each quarter.
	 */
	public static Progress inQuarters(int jobs) {
		return new Progress(1, jobs / 4, jobs / 2, jobs / 4 * 3, jobs);
	}

	/**
	 * Count jobs as done. Any thread may.
	 * @param jobs how many
	 */
	public void add(int jobs) {
		long after = this.done.addAndGet(jobs);
		for (int note = 0; note < this.targets.length; note++) {
			if (after >= this.targets[note] && after - jobs < this.targets[note]) {
				this.nanos[note] = System.nanoTime();
				this.counts[note] = after;
				this.ahead.countDown();
			}
		}
	}

	/**
	 * Return at which count this is complete.
	 * @return the last target
	 */
	public int expected() {
		return this.targets[this.targets.length - 1];
	}

	/**
	 * Return how many jobs are done by now, which may be more than expected.
	 * @return the count
	 */
	public long done() {
		return this.done.get();
	}

	/**
	 * Return whether all notes are taken.
	 * @return {@code true} if they are
	 */
	public boolean isComplete() {
		return this.ahead.getCount() == 0;
	}

	/**
	 * Wait until all notes are taken, for 15 minutes at most.
	 * @throws IllegalStateException if they are not by then
	 * @throws InterruptedException if the wait is interrupted
	 */
	public void await() throws InterruptedException {
		if (!this.ahead.await(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
			throw new IllegalStateException("Only %s jobs were done in time".formatted(done()));
		}
	}

	/**
	 * Return the rate of the whole run.
	 * @return jobs per second
	 */
	public double rate() {
		return rate(0, this.targets.length - 1);
	}

	/**
	 * Return the rate between two notes.
	 * @param from the number of the earlier note
	 * @param to the number of the later note
	 * @return jobs per second
	 */
	public double rate(int from, int to) {
		return (this.counts[to] - this.counts[from]) / seconds(from, to);
	}

	/**
	 * Return the time between the first note and the last, which means nothing before all
	 * are taken.
	 * @return seconds
	 */
	public double seconds() {
		return seconds(0, this.targets.length - 1);
	}

	private double seconds(int from, int to) {
		return (this.nanos[to] - this.nanos[from]) / Rate.NANOS_PER_SECOND;
	}

}
