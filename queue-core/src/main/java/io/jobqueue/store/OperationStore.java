package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What operators do about jobs. Each call is a transaction of its own. Where it is about
 * a single job, it waits for whoever keeps that locked; of several, those that are locked
 * are left alone.
 */
public interface OperationStore {

	/**
	 * Look for a job.
	 * @param id the job's id
	 * @return where it is, {@code null} if there is none of that id
	 */
	@Nullable JobPlace find(UUID id);

	/**
	 * Tell why a waiting job could not be claimed by its id.
	 * @param id the job's id
	 * @return the first reason that holds now, {@code null} if there is no live job of
	 * that id
	 */
	@Nullable Hindrance hindrance(UUID id);

	/**
	 * Ask to cancel a job. One that nobody runs is cancelled.
	 * @param id the job's id
	 * @param keep how long the archive keeps it, {@code null} for ever, zero for not at
	 * all
	 * @return what became of it
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps it locked
	 */
	Cancellation cancel(UUID id, @Nullable Duration keep);

	/**
	 * Ask to cancel jobs that nobody has asked for yet.
	 * @param jobs their ids, and how long the archive keeps each
	 * @return what became of them
	 */
	Cancellations cancelAll(Map<UUID, @Nullable Duration> jobs);

	/**
	 * Let waiting jobs that have begun before run now, with all their attempts.
	 * @param jobs their ids
	 * @return what was changed
	 */
	Changed retry(Collection<UUID> jobs);

	/**
	 * Bring jobs back that did not succeed, with all their attempts. Waits for whoever
	 * uses one of their unique keys; one whose key is taken stays where it is.
	 * @param jobs their ids
	 * @return what was changed, and who has the keys of others
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * uses a key for too long
	 */
	Changed revive(Collection<UUID> jobs);

	/**
	 * Change when waiting jobs are due. Those that are due keep their place if they are
	 * to be so.
	 * @param jobs their ids
	 * @param runAt the time, now if it is past
	 * @return what was changed
	 */
	Changed reschedule(Collection<UUID> jobs, Instant runAt);

	/**
	 * Change the priority of live jobs.
	 * @param jobs their ids
	 * @param priority the value of another priority
	 * @return what was changed
	 */
	Changed reprioritise(Collection<UUID> jobs, int priority);

	/**
	 * Delete live jobs that nobody runs.
	 * @param jobs their ids
	 * @return what was deleted
	 */
	Changed delete(Collection<UUID> jobs);

	/**
	 * Delete archived jobs.
	 * @param jobs their ids
	 * @return what was deleted
	 */
	Changed deleteArchived(Collection<UUID> jobs);

	/**
	 * Add copies of archived jobs, without their unique keys.
	 * @param copies the ids of the copies, by those of the jobs
	 * @return the copies
	 */
	Changed replay(Map<UUID, UUID> copies);

}
