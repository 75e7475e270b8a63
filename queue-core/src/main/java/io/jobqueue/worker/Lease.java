package io.jobqueue.worker;

import java.time.Duration;

import io.jobqueue.ClaimLostException;
import io.jobqueue.store.ProgressReport;

/**
 * The time that an attempt may take.
 */
interface Lease {

	/**
	 * Begin the lease anew.
	 * @throws ClaimLostException if it is over
	 */
	void extend(Duration duration);

	/**
	 * Take note of how far the job has come.
	 */
	void report(ProgressReport report);

	/**
	 * Return whether the job is to be cancelled.
	 */
	boolean isCancelRequested();

	/**
	 * Return whether it has been decided what becomes of the job, so that nothing counts
	 * that its handler still does.
	 */
	boolean isOver();

}
