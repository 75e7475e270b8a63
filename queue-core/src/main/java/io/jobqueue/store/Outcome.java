package io.jobqueue.store;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a claimed job. Once its cancellation is requested, every outcome except
 * success cancels it.
 */
public sealed interface Outcome {

	/**
	 * Return the job's id.
	 * @return the id
	 */
	UUID id();

	/**
	 * Return the number of the claim.
	 * @return the number of the claim
	 */
	long claim();

	/**
	 * The job succeeded.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param keep how long the archive keeps it, {@code null} for no limit, zero to
	 * delete it
	 * @param dedupeFor how long its unique key stays taken, {@code null} for the time set
	 * on the job
	 * @param plain whether the job is {@link ClaimedJob#isPlain() plain}, which takes a
	 * cheaper statement
	 */
	record Completed(UUID id, long claim, @Nullable Duration keep, @Nullable Duration dedupeFor,
			boolean plain) implements Outcome {

		/**
		 * Return the outcome of a claimed job that succeeded.
		 * @param job the job
		 * @param keep how long the archive keeps it, {@code null} for no limit, zero to
		 * delete it
		 * @param dedupeFor how long its unique key stays taken, {@code null} for the time
		 * set on the job
		 * @return the outcome
		 */
		public static Completed of(ClaimedJob job, @Nullable Duration keep, @Nullable Duration dedupeFor) {
			return new Completed(job.id(), job.claim(), keep, dedupeFor, job.isPlain());
		}

	}

	/**
	 * The attempt failed, and the job is retried.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param delay the time until the job is due
	 * @param error the text to store as the last error
	 * @param expected whether the exception was an expected one, which does not count
	 * towards the maximum number of attempts
	 */
	record RetryLater(UUID id, long claim, Duration delay, String error, boolean expected) implements Outcome {
	}

	/**
	 * The attempt failed, and the job is dead.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param error the text to store as the last error
	 * @param keep how long the archive keeps it, {@code null} for no limit, zero to
	 * delete it
	 */
	record Dead(UUID id, long claim, String error, @Nullable Duration keep) implements Outcome {
	}

	/**
	 * The attempt did not succeed, and the job's cancellation was requested.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param error the text to store as the last error, {@code null} if there is none
	 */
	record Cancelled(UUID id, long claim, @Nullable String error) implements Outcome {
	}

	/**
	 * The attempt was not made and is not counted, and the job is ready again.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 */
	record Released(UUID id, long claim) implements Outcome {
	}

	/**
	 * The attempt is not counted, and the job runs later.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param delay the time until the job is due
	 */
	record Snoozed(UUID id, long claim, Duration delay) implements Outcome {
	}

	/**
	 * The outcome was committed in the transaction of the handler. Only the claim remains
	 * to be ended.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 */
	record CompletedInTransaction(UUID id, long claim) implements Outcome {
	}

}
