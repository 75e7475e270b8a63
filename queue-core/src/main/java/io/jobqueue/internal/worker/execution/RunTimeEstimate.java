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
	 * Add the run time of a call.
	 */
	void add(long nanos) {
		this.average = Double.isNaN(this.average) ? nanos : this.average + WEIGHT * (nanos - this.average);
	}

	/**
	 * Add a call that leaves waiting jobs which it cannot take. The number of jobs
	 * follows larger calls at once, and smaller ones soon: what is claimed in vain uses
	 * permits of a rate.
	 */
	void addLimited(int jobs) {
		this.jobsPerCall = Math.max(jobs, (this.jobsPerCall + jobs) / 2);
	}

	/**
	 * Add a call that has taken all waiting jobs. It may have found few because few were
	 * claimed, so that the number does not decrease, and the next call may take twice as
	 * many.
	 * @param maximum the maximum number of jobs of a call
	 */
	void addUnlimited(int jobs, int maximum) {
		this.jobsPerCall = Math.max(Math.min(maximum, 2 * jobs), this.jobsPerCall);
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
	 * {@link #PREFETCH_TIME}, 0 before the first run has ended. They fill whole calls: a
	 * call would begin with a part of its jobs while more are due.
	 */
	int prefetch(int concurrency) {
		if (Double.isNaN(this.average)) {
			return 0;
		}
		double calls = concurrency * (PREFETCH_TIME.toNanos() / Math.max(1, this.average));
		return jobsOf((int) Math.min(this.maxPrefetch / this.jobsPerCall, calls));
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
