package io.jobqueue.worker.execution;

/**
 * How many jobs a executor can take.
 *
 * @param free how many handlers are free
 * @param prefetch how many jobs may be claimed in advance
 * @param maxPriority the highest value of the priorities to take
 * @param isTopUp whether this is beyond what the executor would claim in advance
 * otherwise
 */
public record Capacity(int free, int prefetch, int maxPriority, boolean isTopUp) {

	/**
	 * The highest value of all priorities.
	 */
	public static final int ANY_PRIORITY = 99;

	static final Capacity NONE = of(0, 0);

	/**
	 * Return a capacity for jobs of any priority.
	 * @param free how many handlers are free
	 * @param prefetch how many jobs may be claimed in advance
	 * @return the capacity
	 */
	public static Capacity of(int free, int prefetch) {
		return new Capacity(free, prefetch, ANY_PRIORITY, false);
	}

	static Capacity topUp(int jobs, int maxPriority) {
		return new Capacity(0, jobs, maxPriority, true);
	}

	/**
	 * Return the same room for so many jobs at most.
	 */
	Capacity atMost(int jobs) {
		int fewer = Math.min(this.free, jobs);
		return new Capacity(fewer, Math.min(this.prefetch, jobs - fewer), this.maxPriority, this.isTopUp);
	}

	int total() {
		return this.free + this.prefetch;
	}

}
