package io.jobqueue.internal.worker.completion;

/**
 * Logs outcomes that are not written, and what becomes of their jobs. Calls are made on
 * the thread that writes outcomes, with the MDC entries of the job.
 */
public interface UnwrittenOutcomes {

	/**
	 * Log that the database rejects an outcome.
	 * @param completion the completion
	 * @param refusal the answer of the database
	 * @return whether the outcome is lost, {@code false} if it is tried again
	 */
	boolean refused(Completion completion, Throwable refusal);

	/**
	 * Log that the worker no longer has the right to record an outcome.
	 * @param completion the completion
	 * @param again whether an earlier try had no answer, which may have written it
	 */
	void lost(Completion completion, boolean again);

	/**
	 * Log that the worker stops before an outcome is written.
	 * @param completion the completion
	 */
	void dropped(Completion completion);

}
