package io.jobqueue.worker.execution;

import java.time.Duration;

/**
 * How long the jobs of a queue have been taking lately, and from that how many of them
 * are worth claiming in advance.
 */
public final class RunTimeEstimate {

	static final Duration HORIZON = Duration.ofMillis(50);

	static final Duration MOMENT = Duration.ofMillis(1);

	/**
	 * So many jobs are claimed in advance at most.
	 */
	public static final int MAX_PREFETCH = 1_000;

	private static final double WEIGHT = 0.1;

	private final int maxPrefetch;

	private double average = Double.NaN;

	/**
	 * Create an estimate.
	 * @param maxPrefetch how many jobs to claim in advance at most
	 */
	public RunTimeEstimate(int maxPrefetch) {
		this.maxPrefetch = maxPrefetch;
	}

	void add(long nanos) {
		this.average = Double.isNaN(this.average) ? nanos : this.average + WEIGHT * (nanos - this.average);
	}

	/**
	 * Return how many jobs the handlers will take within the horizon: none if that is not
	 * known.
	 */
	int prefetch(int concurrency) {
		if (Double.isNaN(this.average)) {
			return 0;
		}
		return (int) Math.min(this.maxPrefetch, concurrency * (HORIZON.toNanos() / Math.max(1, this.average)));
	}

	/**
	 * Return how many threads it takes to begin so many jobs within a moment: for jobs
	 * that take next to no time, more threads are only in each other's way.
	 */
	int threadsFor(int jobs) {
		return Double.isNaN(this.average) ? jobs : (int) Math.min(jobs, 1 + jobs * this.average / MOMENT.toNanos());
	}

}
