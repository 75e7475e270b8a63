package io.jobqueue.worker;

import java.time.Duration;
import java.util.Map;

import io.jobqueue.ClaimLostException;
import io.jobqueue.store.JobStore.ProgressReport;

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
	 * Take note of the entries of the MDC that tell the trace of the run.
	 */
	void correlate(Map<String, String> entries);

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
