package io.jobqueue.internal.store;

/**
 * A number of jobs.
 *
 * @param jobs the number
 * @param capped whether there may be more, as counting has ended at a cap
 */
public record JobCount(long jobs, boolean capped) {

	/**
	 * Add another number.
	 * @param other the number of other jobs
	 * @return the sum, capped if one of them is
	 */
	public JobCount plus(JobCount other) {
		return new JobCount(this.jobs + other.jobs, this.capped || other.capped);
	}

}
