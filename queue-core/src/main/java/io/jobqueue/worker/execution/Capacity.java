package io.jobqueue.worker.execution;

/**
 * The number of jobs that a queue executor can accept.
 * 
 * @param free the number of free handlers
 * @param prefetch the number of jobs to claim in advance
 * @param maxPriority the highest priority value to claim, {@link #ANY_PRIORITY} for all
 * @param isTopUp whether these jobs exceed the usual prefetch of the executor
 */
public record Capacity(int free, int prefetch, int maxPriority, boolean isTopUp) {

	/**
	 * The highest priority value.
	 */
	public static final int ANY_PRIORITY = 99;

	static final Capacity NONE = of(0, 0);

	/**
	 * Return a capacity for jobs of any priority.
	 * @param free the number of free handlers
	 * @param prefetch the number of jobs to claim in advance
	 * @return the capacity
	 */
	public static Capacity of(int free, int prefetch) {
		return new Capacity(free, prefetch, ANY_PRIORITY, false);
	}

	static Capacity topUp(int jobs, int maxPriority) {
		return new Capacity(0, jobs, maxPriority, true);
	}

	/**
	 * Return a copy that is limited to the given number of jobs.
	 */
	Capacity atMost(int jobs) {
		int fewer = Math.min(this.free, jobs);
		return new Capacity(fewer, Math.min(this.prefetch, jobs - fewer), this.maxPriority, this.isTopUp);
	}

	int total() {
		return this.free + this.prefetch;
	}

}
