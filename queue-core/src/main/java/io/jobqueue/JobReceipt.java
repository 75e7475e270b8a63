package io.jobqueue;

import java.util.UUID;

/**
 * The outcome of a {@link JobRequest}.
 *
 * @param id the id of the new job, or of the existing one with the same key: a
 * time-ordered UUID (version 7), the same for all attempts and therefore the idempotency
 * key of calls to other systems
 * @param outcome what was done
 */
public record JobReceipt(UUID id, Outcome outcome) {

	/**
	 * Return whether a job was added or changed for the request, so that its payload will
	 * be handled.
	 * @return {@code true} for a job that was added, updated or requeued
	 */
	public boolean accepted() {
		return switch (this.outcome) {
			case ADDED, UPDATED, REQUEUED -> true;
			case ALREADY_WAITING, ALREADY_RUNNING, RECENTLY_SUCCEEDED -> false;
		};
	}

	/**
	 * What was done with a request.
	 */
	public enum Outcome {

		/**
		 * A new job was added.
		 */
		ADDED,

		/**
		 * The waiting job with the key, or the follow-up of the running one, was changed
		 * to the request.
		 */
		UPDATED,

		/**
		 * The job with the key runs or has recently succeeded: a follow-up was added, or
		 * the existing follow-up was changed to the request.
		 */
		REQUEUED,

		/**
		 * Nothing was done: a job with the key waits.
		 */
		ALREADY_WAITING,

		/**
		 * Nothing was done: a job with the key runs.
		 */
		ALREADY_RUNNING,

		/**
		 * Nothing was done: a job with the key has succeeded within its
		 * {@link JobRequest#dedupeFor window}.
		 */
		RECENTLY_SUCCEEDED

	}

}
