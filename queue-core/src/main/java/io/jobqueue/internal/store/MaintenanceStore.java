package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Maintains the tables. Every node may call every method at any time.
 */
public interface MaintenanceStore {

	/**
	 * Take back the jobs of a bounded number of claims whose worker sent no heartbeat
	 * within its timeout or whose lease has expired, claims of silent workers first. Jobs
	 * with attempts left are ready again; the others are dead. Those with a cancel
	 * request are cancelled. Silent workers without claims are removed. The keys of jobs
	 * that ended are released in a transaction that follows.
	 * @param last the claim to continue after, {@code null} to start over
	 * @return the result
	 */
	ReaperPass reap(@Nullable ReaperPosition last);

	/**
	 * Find jobs that no worker has claimed and that have expired or have a cancel
	 * request.
	 * @param limit the maximum number of jobs of each kind
	 * @return the queue of each
	 */
	Map<UUID, String> findCancellable(int limit);

	/**
	 * Cancel those of the jobs that no worker has claimed and that have expired or have a
	 * cancel request. Their keys are released in a transaction that follows.
	 * @param jobs how long the archive keeps each job if it has expired, {@code null} for
	 * no limit, zero to delete it; a job with a cancel request has its own retention
	 * @return the result
	 */
	CancelResult cancel(Map<UUID, @Nullable Duration> jobs);

	/**
	 * Release jobs that follow another job which no longer exists.
	 * @param last the predecessor to continue after, {@code null} to start over
	 * @param limit the maximum number of rows to examine
	 * @return the result
	 */
	FollowUpPass releaseFollowUps(@Nullable UUID last, int limit);

	/**
	 * In each queue that holds back retries, release one unless another is ready or
	 * running.
	 * @return the retries that can be claimed now or when they are due
	 */
	Collection<JobsAvailable> releaseRetries();

	/**
	 * Mark the first job of ordering keys for a new evaluation where it waits for its
	 * turn although no other job of the key is admitted.
	 * @param last the key to continue after, {@code null} to start over
	 * @param limit the maximum number of rows to examine
	 * @return the result
	 */
	KeyPass sweepTurns(@Nullable KeyPosition last, int limit);

	/**
	 * Mark the first job that waits for a slot of a limit key for a new evaluation, once
	 * per key.
	 * @param last the key to continue after, {@code null} to start over
	 * @param limit the maximum number of rows to examine
	 * @return the result
	 */
	KeyPass sweepSlots(@Nullable KeyPosition last, int limit);

	/**
	 * Remove expired deduplication windows, in which the key of a job that succeeded
	 * stays taken.
	 * @param limit the maximum number of rows to remove
	 * @return the number of windows removed
	 */
	int endDedupes(int limit);

	/**
	 * Remove unique keys that no live job has any more.
	 * @param last the key to continue after, {@code null} to start over
	 * @param limit the maximum number of rows to examine
	 * @return the last key examined, {@code null} if there are no more
	 */
	@Nullable KeyPosition sweepKeys(@Nullable KeyPosition last, int limit);

	/**
	 * Remove jobs from the archive whose retention has ended, batches that finished and
	 * statistics that were recorded more than 7 days ago, and operations that began more
	 * than 90 days ago or before the latest 1,000,000.
	 * @param limit the maximum number of rows to remove
	 * @return the result
	 */
	PurgePass purge(int limit);

	/**
	 * A key, as a position in the order of all keys.
	 *
	 * @param queue its queue
	 * @param key the key
	 */
	record KeyPosition(String queue, String key) {
	}

	/**
	 * The result of one purge call.
	 *
	 * @param jobs the number of jobs removed
	 * @param unarchived the number of rows removed that jobs without success have left
	 * when they were removed
	 * @param batches the number of batches removed
	 * @param operations the number of operations removed from the operator log
	 * @param keys whether there are unique keys or deduplication windows
	 */
	record PurgePass(int jobs, int unarchived, int batches, int operations, boolean keys) {

		/**
		 * Return whether there may be more rows to remove.
		 * @param limit the maximum number of rows of the call
		 * @return {@code true} if the call has removed that many of a kind
		 */
		public boolean isFull(int limit) {
			return this.jobs == limit || this.unarchived == limit || this.batches == limit || this.operations == limit;
		}

	}

	/**
	 * Jobs of one kind that were taken back from their worker.
	 *
	 * @param tier their queue and priority
	 * @param position the position of the first of them, or an earlier one
	 * @param type their type
	 * @param worker the name of the worker that had claimed them, or its id if the name
	 * is unknown
	 * @param ended their final state, {@code null} if they are ready again
	 * @param count their number
	 */
	record ReapedJobs(Tier tier, JobPosition position, String type, String worker, @Nullable JobState ended,
			long count) {

		/**
		 * Return whether they died.
		 * @return {@code true} if they are dead
		 */
		public boolean dead() {
			return this.ended == JobState.DEAD;
		}

	}

	/**
	 * A claim as a position in the order of the reaper: claims of silent workers come
	 * first.
	 *
	 * @param silent whether its worker had sent no heartbeat within its timeout
	 * @param expiresAt the time it expires, in the text format of the database
	 * @param worker the worker
	 * @param claim the number of the claim
	 */
	record ReaperPosition(boolean silent, String expiresAt, UUID worker, long claim) {
	}

	/**
	 * A job that was taken back from its worker.
	 *
	 * @param id the job's id
	 * @param tier its queue and priority
	 * @param type the name of its type
	 * @param attempt the number of the attempt that was lost
	 * @param failures the number of failed attempts, this one included
	 * @param headers its encoded headers
	 * @param worker the name of the worker that had claimed it, or its id if the name is
	 * unknown
	 * @param ended its final state, {@code null} if it is ready again
	 */
	record LostJob(UUID id, Tier tier, String type, int attempt, int failures, @Nullable String headers, String worker,
			@Nullable JobState ended) {

		/**
		 * Return whether it died.
		 * @return {@code true} if it is dead
		 */
		public boolean dead() {
			return this.ended == JobState.DEAD;
		}

		/**
		 * Return the id, queue, type and attempt of the job, for log messages.
		 */
		@Override
		public String toString() {
			return "Job[%s, queue=%s, type=%s, attempt=%s]".formatted(this.id, this.tier.queue(), this.type,
					this.attempt);
		}

	}

	/**
	 * The result of one call of the reaper.
	 *
	 * @param taken the jobs that were taken back, summed up by kind
	 * @param lost the same jobs, one by one
	 * @param ended the jobs among them that ended: they are dead or cancelled
	 * @param removedWorkers the names of the workers that were removed
	 * @param waiting whether there are jobs that follow others, or retries that are held
	 * back
	 * @param keyed whether there are jobs with an ordering key, or jobs that wait for a
	 * slot
	 * @param dependent whether there are jobs that wait for predecessors, batches that
	 * have not finished, or instances of workflows that run
	 * @param cancellable whether there may be unclaimed jobs to cancel
	 * @param reconsidered the jobs whose admission is pending again because other jobs
	 * ended
	 * @param last the last claim examined, {@code null} if there are no more
	 */
	record ReaperPass(List<ReapedJobs> taken, List<LostJob> lost, List<EndedJob> ended, List<String> removedWorkers,
			boolean waiting, boolean keyed, boolean dependent, boolean cancellable,
			Collection<JobsAvailable> reconsidered, @Nullable ReaperPosition last) {
	}

	/**
	 * The result of cancelling unclaimed jobs.
	 *
	 * @param ended the jobs that are cancelled; locked ones are not among them
	 * @param available the jobs that no longer wait for these
	 */
	record CancelResult(List<EndedJob> ended, Collection<JobsAvailable> available) {
	}

	/**
	 * The result of one call of the sweep of ordering or limit keys.
	 *
	 * @param reconsidered the jobs whose admission is pending again
	 * @param last the key to continue after, {@code null} if there are no more
	 */
	record KeyPass(Collection<JobsAvailable> reconsidered, @Nullable KeyPosition last) {
	}

	/**
	 * The result of one call of the release of follow-up jobs.
	 *
	 * @param released the jobs that no longer wait
	 * @param last the predecessor to continue after, {@code null} if there are no more
	 */
	record FollowUpPass(Collection<JobsAvailable> released, @Nullable UUID last) {
	}

}
