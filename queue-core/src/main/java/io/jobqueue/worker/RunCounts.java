package io.jobqueue.worker;

/**
 * What became of the jobs that a worker ran since its start.
 *
 * @param succeeded how many succeeded
 * @param failed how many attempts failed and are repeated
 * @param dead how many jobs died
 * @param cancelled how many jobs were cancelled
 * @param drained whether nothing is due any more; if not, the worker was stopped
 */
public record RunCounts(long succeeded, long failed, long dead, long cancelled, boolean drained) {

	/**
	 * Return whether nothing went wrong.
	 * @return {@code true} if no attempt failed and no job died
	 */
	public boolean isFlawless() {
		return this.failed == 0 && this.dead == 0;
	}

}
