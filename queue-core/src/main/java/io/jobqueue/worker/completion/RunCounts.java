package io.jobqueue.worker.completion;

import java.util.Set;

/**
 * What became of the jobs that a worker ran since its start.
 *
 * @param succeeded how many succeeded
 * @param failed how many attempts failed and are repeated
 * @param dead how many jobs died
 * @param cancelled how many jobs were cancelled
 * @param drained whether nothing is due any more but in halted queues; if not, the worker
 * was stopped
 * @param halted the queues in which jobs are due that this worker does not take: too many
 * of its handlers there do not end
 */
public record RunCounts(long succeeded, long failed, long dead, long cancelled, boolean drained, Set<String> halted) {

	/**
	 * Return whether nothing went wrong.
	 * @return {@code true} if no attempt failed, no job died, and no queue halted
	 */
	public boolean isFlawless() {
		return this.failed == 0 && this.dead == 0 && this.halted.isEmpty();
	}

}
