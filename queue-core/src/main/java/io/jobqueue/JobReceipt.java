package io.jobqueue;

import java.util.UUID;

/**
 * What became of a {@link JobRequest}.
 *
 * @param id the id of the new job: a time-ordered UUID (version 7), the same on every
 * attempt and therefore the idempotency key for calls to the outside
 * @param outcome what was done
 */
public record JobReceipt(UUID id, Outcome outcome) {

	/**
	 * Return whether the request led to a job, so that its payload will be handled.
	 * @return {@code true} for a job that was added
	 */
	public boolean accepted() {
		return this.outcome == Outcome.ADDED;
	}

	/**
	 * What was done with a request.
	 */
	public enum Outcome {

		/**
		 * A new job was added.
		 */
		ADDED

	}

}
