package io.jobqueue;

import java.util.UUID;

/**
 * What became of a {@link JobRequest}.
 *
 * @param id the id of the new job, or of the one that was changed or is in the way: a
 * time-ordered UUID (version 7), the same on every attempt and therefore the idempotency
 * key for calls to the outside
 * @param outcome what was done
 */
public record JobReceipt(UUID id, Outcome outcome) {

	/**
	 * Return whether the request led to a job, so that its payload will be handled.
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
		 * The waiting job with the key became what the request says.
		 */
		UPDATED,

		/**
		 * The job with the key runs, or has recently succeeded: a job that follows it was
		 * added, or the one that follows it already became what the request says.
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
		 * Nothing was done: a job with the key has succeeded, and its window is not over.
		 */
		RECENTLY_SUCCEEDED

	}

}
