package io.jobqueue.store;

/**
 * How many unfinished jobs one queue and priority holds.
 *
 * @param scheduled how many wait for their first run-at
 * @param ready how many are due and wait
 * @param running how many are claimed
 * @param retrying how many back off
 * @param blocked how many wait for other jobs
 */
public record TierCounts(JobCount scheduled, JobCount ready, JobCount running, JobCount retrying, JobCount blocked) {

	/**
	 * Return how many there are in all.
	 * @return the sum
	 */
	public long total() {
		return this.scheduled.jobs() + this.ready.jobs() + this.running.jobs() + this.retrying.jobs()
				+ this.blocked.jobs();
	}

}
