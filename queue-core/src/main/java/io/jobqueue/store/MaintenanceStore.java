package io.jobqueue.store;

import java.util.Collection;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What has to be done in the tables now and then. Any node may call any of it at any
 * time.
 */
public interface MaintenanceStore {

	/**
	 * Take jobs away from workers that went silent or let a lease run out, of a bounded
	 * number of claims, those of silent workers first: those with attempts left are ready
	 * again, the others dead. Workers that went silent and hold nothing any more are
	 * forgotten. The keys of the dead are handed over, in a transaction that follows.
	 * @param last the claim to go on behind, {@code null} to begin anew
	 * @return what was done
	 */
	ReaperPass reap(@Nullable ReaperPlace last);

	/**
	 * Look at some jobs that wait for another one to finish, and let those run whose
	 * predecessor is no longer there.
	 * @param last where to go on, {@code null} to begin anew
	 * @param limit how many to look at
	 * @return what was done
	 */
	FollowUpPass releaseFollowUps(@Nullable UUID last, int limit);

	/**
	 * Let a retry run of each queue that holds some back and has none that runs or is
	 * about to.
	 * @return the retries
	 */
	Collection<Arrival> letRetriesOut();

	/**
	 * Look at some ordering keys for which jobs wait, and evaluate the first job of each
	 * anew that waits although no other one is in its way.
	 * @param last the key to go on behind, {@code null} to begin anew
	 * @param limit how many to look at
	 * @return what was done
	 */
	KeyPass sweepTurns(@Nullable KeyPlace last, int limit);

	/**
	 * Look at some limit keys, and have the first job of each judged again that waits
	 * although no other one has a slot.
	 * @param last the key to go on behind, {@code null} to begin anew
	 * @param limit how many to look at
	 * @return what was done
	 */
	KeyPass sweepSlots(@Nullable KeyPlace last, int limit);

	/**
	 * End windows in which the key of a job that succeeded stays taken.
	 * @param limit how many at most
	 * @return how many were over
	 */
	int endDedupes(int limit);

	/**
	 * Look at some keys, and remove those that no job has any more.
	 * @param last the key to go on behind, {@code null} to begin anew
	 * @param limit how many to look at
	 * @return the last that was looked at, {@code null} if there are no more
	 */
	@Nullable KeyPlace sweepKeys(@Nullable KeyPlace last, int limit);

	/**
	 * Remove jobs from the archive whose retention is over.
	 * @param limit how many at most
	 * @return what was done
	 */
	PurgePass purge(int limit);

}
