package io.jobqueue.worker.completion;

import java.util.Set;

/**
 * The outcomes of a worker's jobs since its start.
 *
 * @param succeeded the number of jobs that succeeded
 * @param failed the number of attempts that failed and are retried, or whose outcome was
 * lost
 * @param dead the number of jobs that died
 * @param cancelled the number of jobs that were cancelled
 * @param drained whether no job is due any more except in halted queues; {@code false} if
 * the worker was stopped before
 * @param halted the queues with due jobs that this worker does not take because too many
 * of its handlers are stuck
 */
public record RunCounts(long succeeded, long failed, long dead, long cancelled, boolean drained, Set<String> halted) {

	/**
	 * Return whether all jobs ended without a failure.
	 * @return {@code true} if no attempt failed, no job died, and no queue halted
	 */
	public boolean areAllSuccessful() {
		return this.failed == 0 && this.dead == 0 && this.halted.isEmpty();
	}

}
