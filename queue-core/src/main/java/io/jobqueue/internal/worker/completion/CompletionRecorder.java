package io.jobqueue.internal.worker.completion;

import org.jspecify.annotations.Nullable;

/**
 * Records the outcomes of jobs.
 */
public interface CompletionRecorder {

	/**
	 * Submit an outcome without waiting until it is written.
	 * @param completion the completion
	 */
	void submit(Completion completion);

	/**
	 * Submit an outcome and wait until it is written.
	 * @param completion the completion
	 * @return {@code true} if the outcome was written, or committed before with the
	 * handler's transaction; {@code false} if the claim was lost; {@code null} if the
	 * recorder has stopped before
	 * @throws RuntimeException if the database rejects the outcome
	 */
	@Nullable Boolean complete(Completion completion);

}
