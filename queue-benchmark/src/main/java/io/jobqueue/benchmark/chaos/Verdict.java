package io.jobqueue.benchmark.chaos;

import io.jobqueue.benchmark.frame.Result;

/**
 * What became of the jobs.
 *
 * @param jobs how many were committed
 * @param lost jobs that did not come to their end, succeeded without their effect, or
 * exist without having been committed; and acknowledged commits that are gone
 * @param doubledTransactional transactional jobs with more than one effect
 * @param doubledAtMostOnce at-most-once jobs with more than one effect
 * @param early jobs with an effect before the end of the job that they waited for, and
 * callbacks of batches with one before the seal or before the end of all members
 * @param batches how many batches were sealed
 * @param miscountedBatches batches whose callback has been given other numbers than those
 * of their members
 * @param redelivered effects of at-least-once jobs beyond the first
 * @param deadShare how much of the at-most-once jobs died
 * @param recoverySeconds the time from order to first effect that 99 of 100 jobs kept to
 */
record Verdict(long jobs, long lost, long doubledTransactional, long doubledAtMostOnce, long early, long batches,
		long miscountedBatches, long redelivered, double deadShare, double recoverySeconds) {

	static final String MISCOUNTED = "miscounted_batches";

	static final String DEAD_SHARE = "dead_share_at_most_once";

	Verdict withLost(long more) {
		return new Verdict(this.jobs, this.lost + more, this.doubledTransactional, this.doubledAtMostOnce, this.early,
				this.batches, this.miscountedBatches, this.redelivered, this.deadShare, this.recoverySeconds);
	}

	Result addTo(Result result) {
		return result.withCount("jobs", this.jobs)
			.withCount("lost", this.lost)
			.withCount("doubled_transactional", this.doubledTransactional)
			.withCount("doubled_at_most_once", this.doubledAtMostOnce)
			.withCount("early", this.early)
			.withCount("batches", this.batches)
			.withCount(MISCOUNTED, this.miscountedBatches)
			.withCount("redelivered", this.redelivered)
			.with("recovery_p99_s", this.recoverySeconds)
			.with(DEAD_SHARE, this.deadShare);
	}

}
