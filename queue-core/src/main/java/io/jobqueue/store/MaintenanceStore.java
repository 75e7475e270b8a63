package io.jobqueue.store;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * The periodic maintenance of the tables. Any node may call any of it at any time.
 */
public interface MaintenanceStore {

	/**
	 * Take jobs away from workers that went silent or let a lease run out, of a bounded
	 * number of claims, those of silent workers first: those with attempts left are ready
	 * again, the others dead. Workers that went silent and hold nothing any more are
	 * deleted. The keys of the dead are released, in a transaction that follows.
	 * @param last the claim to go on behind, {@code null} to begin anew
	 * @return what was done
	 */
	ReaperPass reap(@Nullable ReaperPosition last);

	/**
	 * Look at some jobs that wait for another one to finish, and let those run whose
	 * predecessor is no longer there.
	 * @param last where to go on, {@code null} to begin anew
	 * @param limit how many to read
	 * @return what was done
	 */
	FollowUpPass releaseFollowUps(@Nullable UUID last, int limit);

	/**
	 * Let a retry run of each queue that holds some back and has none that runs or is
	 * about to.
	 * @return the retries
	 */
	Collection<JobsAvailable> releaseRetries();

	/**
	 * Look at some ordering keys for which jobs wait, and evaluate the first job of each
	 * anew that waits although no other one is in its way.
	 * @param last the key to go on behind, {@code null} to begin anew
	 * @param limit how many to read
	 * @return what was done
	 */
	KeyPass sweepTurns(@Nullable KeyPosition last, int limit);

	/**
	 * Look at some limit keys, and evaluate the first job of each again that waits
	 * although no other one has a slot.
	 * @param last the key to go on behind, {@code null} to begin anew
	 * @param limit how many to read
	 * @return what was done
	 */
	KeyPass sweepSlots(@Nullable KeyPosition last, int limit);

	/**
	 * End windows in which the key of a job that succeeded stays taken.
	 * @param limit how many at most
	 * @return how many were over
	 */
	int endDedupes(int limit);

	/**
	 * Look at some keys, and remove those that no job has any more.
	 * @param last the key to go on behind, {@code null} to begin anew
	 * @param limit how many to read
	 * @return the last that was read, {@code null} if there are no more
	 */
	@Nullable KeyPosition sweepKeys(@Nullable KeyPosition last, int limit);

	/**
	 * Remove jobs from the archive whose retention is over.
	 * @param limit how many at most
	 * @return what was done
	 */
	PurgePass purge(int limit);

	/**
	 * Where a unique key stands among all keys.
	 *
	 * @param queue its queue
	 * @param key the key
	 */
	record KeyPosition(String queue, String key) {
	}

	/**
	 * What the purge did at once.
	 *
	 * @param jobs how many jobs were removed
	 * @param keys whether there are unique keys to look after
	 */
	record PurgePass(int jobs, boolean keys) {
	}

	/**
	 * Jobs that were taken away from their worker.
	 *
	 * @param tier their queue and priority
	 * @param position a place in the tier that none of them comes before
	 * @param type their type
	 * @param worker the name of the worker that had them, or its id if the name is
	 * unknown
	 * @param ended how they ended, {@code null} if they are ready again
	 * @param count how many there are
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
	 * A claim in the order in which the reaper reads claims: those of silent workers come
	 * first.
	 *
	 * @param silent whether its worker was silent
	 * @param expiresAt when it expires, as the database writes it
	 * @param worker the worker
	 * @param claim the number of the claim
	 */
	record ReaperPosition(boolean silent, String expiresAt, UUID worker, long claim) {
	}

	/**
	 * A job that was taken away from its worker.
	 *
	 * @param id the job's id
	 * @param tier its queue and priority
	 * @param type the name of its type
	 * @param attempt the number of the attempt that was lost
	 * @param failures how many attempts have failed, this one included
	 * @param headers its encoded headers
	 * @param worker the name of the worker that had it, or its id if the name is unknown
	 * @param ended how it ended, {@code null} if it is ready again
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
		 * Return what people need to know of the job.
		 */
		@Override
		public String toString() {
			return "Job[%s, queue=%s, type=%s, attempt=%d]".formatted(this.id, this.tier.queue(), this.type,
					this.attempt);
		}

	}

	/**
	 * What the reaper did at once.
	 *
	 * @param taken the jobs that were taken away, empty if there were none left
	 * @param lost the same jobs, one by one
	 * @param ended the jobs that ended: those of them that died, and those that were
	 * cancelled
	 * @param forgotten the names of workers that were removed
	 * @param waiting whether there are jobs that wait for others
	 * @param keyed whether there are jobs that may wait for their ordering or limit key
	 * @param reconsidered those whose admission is to be evaluated again because others
	 * are dead
	 * @param last the last claim that was read, {@code null} if there are no more
	 */
	record ReaperPass(List<ReapedJobs> taken, List<LostJob> lost, List<EndedJob> ended, List<String> forgotten,
			boolean waiting, boolean keyed, Collection<JobsAvailable> reconsidered, @Nullable ReaperPosition last) {
	}

	/**
	 * What was done about jobs that wait for their key at once.
	 *
	 * @param reconsidered those whose admission is to be evaluated again
	 * @param last the key to go on behind, {@code null} if there are no more
	 */
	record KeyPass(Collection<JobsAvailable> reconsidered, @Nullable KeyPosition last) {
	}

	/**
	 * What was done about jobs that wait for others at once.
	 *
	 * @param released those that need not wait any more
	 * @param last where to go on, {@code null} if there are no more
	 */
	record FollowUpPass(Collection<JobsAvailable> released, @Nullable UUID last) {
	}

}
