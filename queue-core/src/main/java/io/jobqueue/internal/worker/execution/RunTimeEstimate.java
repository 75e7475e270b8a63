package io.jobqueue.internal.worker.execution;

import java.time.Duration;

/**
 * Estimates the run time of a queue's jobs as a moving average, and derives the number of
 * jobs to claim in advance and of threads to start. Not safe for use by several threads.
 */
public final class RunTimeEstimate {

	static final Duration PREFETCH_TIME = Duration.ofMillis(50);

	static final Duration DRAIN_TIME = Duration.ofMillis(1);

	/**
	 * The maximum number of jobs that are claimed in advance.
	 */
	public static final int MAX_PREFETCH = 1_000;

	private static final double WEIGHT = 0.1;

	private final int maxPrefetch;

	private double average = Double.NaN;

	/**
	 * Create an estimate.
	 * @param maxPrefetch the maximum number of jobs to claim in advance
	 */
	public RunTimeEstimate(int maxPrefetch) {
		this.maxPrefetch = maxPrefetch;
	}

	void add(long nanos) {
		this.average = Double.isNaN(this.average) ? nanos : this.average + WEIGHT * (nanos - this.average);
	}

	/**
	 * Return the number of jobs that the given number of handlers ends within
	 * {@link #PREFETCH_TIME}, 0 before the first run has ended.
	 */
	int prefetch(int concurrency) {
		if (Double.isNaN(this.average)) {
			return 0;
		}
		return (int) Math.min(this.maxPrefetch, concurrency * (PREFETCH_TIME.toNanos() / Math.max(1, this.average)));
	}

	/**
	 * Return the number of threads to run the given number of jobs within about
	 * {@link #DRAIN_TIME}. For very short jobs, more threads would only compete for the
	 * lock of the executor.
	 */
	int threadsFor(int jobs) {
		return Double.isNaN(this.average) ? jobs : (int) Math.min(jobs, 1 + jobs * this.average / DRAIN_TIME.toNanos());
	}

}
