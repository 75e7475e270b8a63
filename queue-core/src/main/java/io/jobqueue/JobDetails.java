package io.jobqueue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What the tables contain of a job beyond its {@link JobInfo}. Times are by the
 * database's clock.
 *
 * @param position its position in the order of enqueueing, over all queues
 * @param key its unique key, if it has one
 * @param orderingKey its ordering key, if it has one
 * @param limitKey its limit key, if it has one
 * @param group its group, if it has one
 * @param failures the number of failed attempts, without expected failures
 * @param expectedFailures the number of attempts with an expected failure
 * @param error the exception of the last failed attempt with its stack trace, also of a
 * job that has succeeded since, {@code null} if there is none; may be confidential
 * @param worker the name of the worker that runs it or ran it last, or its id if the name
 * is no longer known
 * @param progress the last progress that its handler reported, {@code null} for none
 * @param cancelRequested whether it runs and its cancellation is requested
 * @param ancestor the id of the job of which it is a replay, {@code null} if it is none
 * @param parent the id of the job whose handler enqueued it, {@code null} if no handler
 * did
 * @param root the id of the first job of its family, which has no parent, {@code null} if
 * it has no parent itself
 * @param failedPredecessors the ids of up to 10 failed predecessors for which the job is
 * {@link JobState#BLOCKED}, unmodifiable
 * @param finishedAt when it finished, {@code null} if it has not
 * @param startedAt when its latest attempt began, see {@link JobInfo#startedAt()}
 * @param history its last ten attempts that have ended, oldest first, unmodifiable; empty
 * for a job that succeeded at its first attempt. Snoozed and released runs are not
 * included
 * @param expiresAt when it expires, see {@link JobInfo#expiresAt()}
 */
public record JobDetails(long position, @Nullable String key, @Nullable String orderingKey, @Nullable String limitKey,
		@Nullable String group, int failures, int expectedFailures, @Nullable String error, @Nullable String worker,
		@Nullable Progress progress, boolean cancelRequested, @Nullable UUID ancestor, @Nullable UUID parent,
		@Nullable UUID root, List<UUID> failedPredecessors, @Nullable Instant finishedAt, @Nullable Instant startedAt,
		List<Attempt> history, @Nullable Instant expiresAt) {

	/**
	 * Return a text for logs, without errors, which may be confidential.
	 */
	@Override
	public String toString() {
		return "JobDetails[position=%s, failures=%s]".formatted(this.position, this.failures);
	}

	/**
	 * An attempt that has ended.
	 *
	 * @param number its number, from 1; after {@link JobOperations#retry} the next one is
	 * 1 again
	 * @param began when it began, {@code null} if unknown
	 * @param ended when its outcome was recorded
	 * @param worker the name of the worker that ran it
	 * @param outcome its outcome
	 * @param error the first line of its error, cut to 500 characters, {@code null} if it
	 * had none; may be confidential
	 */
	public record Attempt(int number, @Nullable Instant began, Instant ended, String worker, Outcome outcome,
			@Nullable String error) {

		/**
		 * Return a text for logs, without errors, which may be confidential.
		 */
		@Override
		public String toString() {
			return "Attempt[%s, %s]".formatted(this.number, this.outcome);
		}

		/**
		 * The outcome of an attempt.
		 */
		public enum Outcome {

			/**
			 * The job succeeded.
			 */
			SUCCEEDED,

			/**
			 * The attempt failed, or its handler requested another one.
			 */
			RETRIED,

			/**
			 * The attempt failed, and the job is dead.
			 */
			DEAD,

			/**
			 * The job was cancelled while it ran.
			 */
			CANCELLED,

			/**
			 * The worker sent no heartbeat, or did not end the attempt in time. The
			 * reaper ended the attempt: the job is retried, or dead if this was its last
			 * attempt.
			 */
			LOST

		}

	}

	/**
	 * The progress of a job.
	 *
	 * @param percent the percentage that is done, from 0 to 100
	 * @param message a text for people
	 */
	public record Progress(int percent, String message) {
	}

}
