package io.jobqueue;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What the tables hold of a job beyond what its events contain. Times are the database's.
 *
 * @param position its place in the order of enqueueing, over all queues
 * @param key its unique key, if it has one
 * @param orderingKey its ordering key, if it has one
 * @param limitKey its limit key, if it has one
 * @param group its group, if it has one
 * @param failures how many attempts have failed, but for expected failures
 * @param expectedFailures how many attempts have failed as expected
 * @param error the exception of the last failed attempt with its stack trace, also of a
 * job that has succeeded since, {@code null} if none is known; perhaps confidential
 * @param worker the name of the worker that runs it, or of the last one that did, as far
 * as it is known; else that worker's id
 * @param progress how far it has come, as its handler said, {@code null} if it did not
 * @param cancelRequested whether it runs, and is to be cancelled
 * @param ancestor the id of the job that it is a replay of, if it is one
 * @param parent the id of the job whose handler enqueued it, {@code null} if none did
 * @param root the id of the first job of its family, which has no parent, {@code null} if
 * it has no parent itself
 * @param failedPredecessors the ids of up to 10 failed predecessors that keep the job
 * {@link JobState#BLOCKED}, unmodifiable
 * @param finishedAt when it finished, {@code null} if it has not
 * @param startedAt when its latest attempt began, see {@link JobInfo#startedAt()}
 * @param history its last ten attempts, oldest first, unmodifiable. It begins with the
 * first attempt that does not succeed, so that it is empty for most jobs; snoozed and
 * released runs are not in it
 * @param expiresAt when it expires, see {@link JobInfo#expiresAt()}
 */
public record JobDetails(long position, @Nullable String key, @Nullable String orderingKey, @Nullable String limitKey,
		@Nullable String group, int failures, int expectedFailures, @Nullable String error, @Nullable String worker,
		@Nullable Progress progress, boolean cancelRequested, @Nullable UUID ancestor, @Nullable UUID parent,
		@Nullable UUID root, List<UUID> failedPredecessors, @Nullable Instant finishedAt, @Nullable Instant startedAt,
		List<Attempt> history, @Nullable Instant expiresAt) {

	/**
	 * Return what is safe to print: errors may be confidential.
	 */
	@Override
	public String toString() {
		return "JobDetails[position=%d, failures=%d]".formatted(this.position, this.failures);
	}

	/**
	 * An attempt that has ended.
	 *
	 * @param number its number, from 1; an operator's retry of a job counts anew
	 * @param began when it began, {@code null} if that is not known
	 * @param ended when its outcome was recorded
	 * @param worker the name of the worker that ran it
	 * @param outcome its outcome
	 * @param error the first line of its error, cut to 500 characters, {@code null} if it
	 * had none; perhaps confidential
	 */
	public record Attempt(int number, @Nullable Instant began, Instant ended, String worker, Outcome outcome,
			@Nullable String error) {

		/**
		 * Return what is safe to print: errors may be confidential.
		 */
		@Override
		public String toString() {
			return "Attempt[%d, %s]".formatted(this.number, this.outcome);
		}

		/**
		 * How an attempt ends.
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
			 * reaper took the job back: it is retried, or dead if this was its last
			 * attempt.
			 */
			LOST

		}

	}

	/**
	 * How far a job has come.
	 *
	 * @param percent how much of it is done, from 0 to 100
	 * @param message what it is about
	 */
	public record Progress(int percent, String message) {
	}

}
