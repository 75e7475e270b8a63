package io.jobqueue;

/**
 * Decides what a tick of a recurring job does while the job of an earlier tick is live.
 */
public enum Overlap {

	/**
	 * Enqueue no job; the tick is counted as skipped. If the job of the earlier tick only
	 * waits for its next attempt after a failure, the tick makes that attempt due now
	 * instead, and is not counted.
	 */
	SKIP,

	/**
	 * Enqueue another job.
	 */
	ALLOW

}
