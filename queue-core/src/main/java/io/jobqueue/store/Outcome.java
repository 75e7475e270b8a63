package io.jobqueue.store;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What became of a claimed job. Once its cancellation is requested, every outcome but
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
	 * @return the number
	 */
	long claim();

	/**
	 * The job succeeded.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param keep how long the archive keeps it, {@code null} for ever, zero for not at
	 * all
	 * @param dedupeFor how long its key stays taken, {@code null} for what the job says
	 */
	record Completed(UUID id, long claim, @Nullable Duration keep, @Nullable Duration dedupeFor) implements Outcome {
	}

	/**
	 * The attempt failed, and the job is to run again.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param delay how long until then
	 * @param error what is stored as the last error
	 * @param expected whether it failed as some attempts are expected to, which does not
	 * count towards the limit
	 */
	record RetryLater(UUID id, long claim, Duration delay, String error, boolean expected) implements Outcome {
	}

	/**
	 * The attempt failed, and the job is dead.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param error what is stored as the last error
	 * @param keep how long the archive keeps it, {@code null} for ever, zero for not at
	 * all
	 */
	record Dead(UUID id, long claim, String error, @Nullable Duration keep) implements Outcome {
	}

	/**
	 * The attempt did not succeed, and the job's cancellation was requested.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param error what is stored as the last error, {@code null} if there is none
	 */
	record Cancelled(UUID id, long claim, @Nullable String error) implements Outcome {
	}

	/**
	 * The attempt did not take place, is not counted, and the job is ready again.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 */
	record Released(UUID id, long claim) implements Outcome {
	}

	/**
	 * The attempt is not counted, and the job is to run later.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param delay how long until then
	 */
	record Snoozed(UUID id, long claim, Duration delay) implements Outcome {
	}

	/**
	 * What became of the job was committed with what its handler wrote. All that is left
	 * is its claim.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 */
	record CompletedInTransaction(UUID id, long claim) implements Outcome {
	}

}
