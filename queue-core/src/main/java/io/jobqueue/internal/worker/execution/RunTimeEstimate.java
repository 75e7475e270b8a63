package io.jobqueue.internal.worker.execution;

import java.time.Duration;

/**
 * Estimates the run time of the calls of a queue's handlers, and the number of jobs that
 * a call takes, as moving averages. Derives the number of jobs to claim in advance and of
 * threads to start. Not safe for use by several threads.
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

	private double jobsPerCall;

	/**
	 * Create an estimate for calls with one job.
	 * @param maxPrefetch the maximum number of jobs to claim in advance
	 */
	public RunTimeEstimate(int maxPrefetch) {
		this(maxPrefetch, 1);
	}

	/**
	 * Create an estimate.
	 * @param maxPrefetch the maximum number of jobs to claim in advance
	 * @param jobsPerCall the number of jobs that the first calls will take
	 */
	public RunTimeEstimate(int maxPrefetch, int jobsPerCall) {
		this.maxPrefetch = maxPrefetch;
		this.jobsPerCall = jobsPerCall;
	}

	/**
	 * Add a call. The number of jobs follows larger calls at once, as it limits what they
	 * find.
	 */
	void add(long nanos, int jobs) {
		this.average = Double.isNaN(this.average) ? nanos : this.average + WEIGHT * (nanos - this.average);
		this.jobsPerCall = Math.max(jobs, this.jobsPerCall + WEIGHT * (jobs - this.jobsPerCall));
	}

	/**
	 * Return the number of jobs that the next calls will take together.
	 */
	int jobsOf(int calls) {
		return (int) Math.ceil(calls * this.jobsPerCall);
	}

	/**
	 * Return the number of calls that take the given number of jobs.
	 */
	int callsOf(int jobs) {
		return (int) Math.ceil(jobs / this.jobsPerCall);
	}

	/**
	 * Return the number of jobs that the given number of handlers ends within
	 * {@link #PREFETCH_TIME}, 0 before the first run has ended.
	 */
	int prefetch(int concurrency) {
		if (Double.isNaN(this.average)) {
			return 0;
		}
		double calls = concurrency * (PREFETCH_TIME.toNanos() / Math.max(1, this.average));
		return (int) Math.min(this.maxPrefetch, calls * this.jobsPerCall);
	}

	/**
	 * Return the number of threads to run the given number of jobs within about
	 * {@link #DRAIN_TIME}. For very short jobs, more threads would only compete for the
	 * lock of the executor.
	 */
	int threadsFor(int jobs) {
		int calls = callsOf(jobs);
		return Double.isNaN(this.average) ? calls
				: (int) Math.min(calls, 1 + calls * this.average / DRAIN_TIME.toNanos());
	}

}
