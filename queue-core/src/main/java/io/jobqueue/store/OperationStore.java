package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * What operators do about jobs. Each call is a transaction of its own. Where it is about
 * a single job, it waits for the transaction that has it locked; of several, locked ones
 * are skipped.
 */
public interface OperationStore {

	/**
	 * Look for a job.
	 * @param id the job's id
	 * @return where it is, {@code null} if there is none of that id
	 */
	@Nullable JobLocation find(UUID id);

	/**
	 * Return why a waiting job could not be claimed by its id.
	 * @param id the job's id
	 * @return the first reason that holds now, {@code null} if there is no live job of
	 * that id
	 */
	@Nullable BlockedBy blockedBy(UUID id);

	/**
	 * Ask to cancel a job. One that is not running is cancelled.
	 * @param id the job's id
	 * @param keep how long the archive keeps it, {@code null} for ever, zero for not at
	 * all
	 * @return what became of it
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps it locked
	 */
	CancelResult cancel(UUID id, @Nullable Duration keep);

	/**
	 * Request the cancellation of jobs for which it was not requested before.
	 * @param jobs their ids, and how long the archive keeps each
	 * @return what became of them
	 */
	BulkCancelResult cancelAll(Map<UUID, @Nullable Duration> jobs);

	/**
	 * Let waiting jobs that have begun before run now, with all their attempts.
	 * @param jobs their ids
	 * @return what was changed
	 */
	ChangeResult retry(Collection<UUID> jobs);

	/**
	 * Bring jobs back that did not succeed, with all their attempts. Waits for
	 * transactions that use one of their unique keys; one whose key is taken stays where
	 * it is.
	 * @param jobs their ids
	 * @return what was changed, and who has the keys of others
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * uses a key for too long
	 */
	ChangeResult revive(Collection<UUID> jobs);

	/**
	 * Change when waiting jobs are due. Those that are due keep their place if they are
	 * to be so.
	 * @param jobs their ids
	 * @param runAt the time, now if it is past
	 * @return what was changed
	 */
	ChangeResult reschedule(Collection<UUID> jobs, Instant runAt);

	/**
	 * Change the priority of live jobs.
	 * @param jobs their ids
	 * @param priority the value of another priority
	 * @return what was changed
	 */
	ChangeResult reprioritise(Collection<UUID> jobs, int priority);

	/**
	 * Delete live jobs that are not running.
	 * @param jobs their ids
	 * @return what was deleted
	 */
	ChangeResult delete(Collection<UUID> jobs);

	/**
	 * Delete archived jobs.
	 * @param jobs their ids
	 * @return what was deleted
	 */
	ChangeResult deleteArchived(Collection<UUID> jobs);

	/**
	 * Add copies of archived jobs, without their unique keys.
	 * @param copies the ids of the copies, by those of the jobs
	 * @return the copies
	 */
	ChangeResult replay(Map<UUID, UUID> copies);

	/**
	 * What became of the request to cancel a job.
	 *
	 * @param found whether the job was not finished
	 * @param ended the job, if it was not running: it is cancelled
	 * @param available those that need not wait for it any more
	 */
	record CancelResult(boolean found, @Nullable EndedJob ended, Collection<JobsAvailable> available) {
	}

	/**
	 * Where a job is.
	 *
	 * @param queue its queue
	 * @param finished whether it is in the archive
	 */
	record JobLocation(String queue, boolean finished) {
	}

	/**
	 * What became of the request to cancel several jobs.
	 *
	 * @param running the ids of those that run, and are asked to end
	 * @param ended those that were not running: they are cancelled
	 * @param available those that need not wait for these any more
	 */
	record BulkCancelResult(Collection<UUID> running, List<EndedJob> ended, Collection<JobsAvailable> available) {
	}

	/**
	 * What an operator changed.
	 *
	 * @param jobs the ids of the jobs
	 * @param available those that may run now, or later
	 * @param holders for jobs that were left alone because their unique key is taken, the
	 * id of the job that has it
	 */
	record ChangeResult(Set<UUID> jobs, Collection<JobsAvailable> available, Map<UUID, UUID> holders) {
	}

	/**
	 * Why a waiting job could not be claimed by its id.
	 */
	enum BlockedBy {

		/**
		 * It follows another job with its unique key.
		 */
		PREDECESSOR,

		/**
		 * Another job of its ordering key comes first.
		 */
		ORDER,

		/**
		 * The jobs of its limit key have all slots.
		 */
		SLOT,

		/**
		 * Another transaction has it locked.
		 */
		LOCK,

		/**
		 * None of these: the limits of its queue have no room, or had none.
		 */
		LIMIT

	}

}
