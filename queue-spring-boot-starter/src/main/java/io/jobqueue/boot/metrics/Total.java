package io.jobqueue.boot.metrics;

import io.jobqueue.store.JobCount;

/**
 * What the gauges show of a queue, priority class and state.
 *
 * @param jobs the number of jobs
 * @param estimated 1 if that is an estimate, 0 if they were counted
 */
record Total(double jobs, double estimated) {

	static final Total NONE = new Total(0, 0);

	static final Total UNKNOWN = new Total(Double.NaN, Double.NaN);

	static Total of(JobCount count) {
		return new Total(count.jobs(), count.estimated() ? 1 : 0);
	}

	/**
	 * A sum is an estimate if one of its parts is.
	 */
	Total and(Total other) {
		return new Total(this.jobs + other.jobs, Math.max(this.estimated, other.estimated));
	}

}
