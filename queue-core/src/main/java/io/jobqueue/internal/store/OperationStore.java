package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Changes jobs on request of an operator. Each call commits its change in a transaction
 * of its own; the keys that the change frees are released in a second one. A call for a
 * single job waits for the transaction that has it locked; a call for several jobs skips
 * locked ones.
 */
public interface OperationStore {

	/**
	 * Return a store whose changes write an operation to the operator log, each in its
	 * transaction. A transaction that changes no job writes nothing.
	 * @param operation the operation
	 * @return the store
	 */
	OperationStore logging(LoggedOperation operation);

	/**
	 * Find the queue of a job, live or archived.
	 * @param id the job's id
	 * @return its location, {@code null} if no job has that id
	 */
	@Nullable JobLocation find(UUID id);

	/**
	 * Request the cancellation of a job, like {@link #cancel(Map)}.
	 * @param id the job's id
	 * @param retention how long the archive keeps it, {@code null} for no limit, zero to
	 * delete it
	 * @return the result
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * has it locked for more than 5 s
	 */
	default CancelResult cancel(UUID id, @Nullable Duration retention) {
		return cancel(Collections.singletonMap(id, retention));
	}

	/**
	 * Request the cancellation of jobs. Jobs that are not running are cancelled
	 * immediately.
	 * @param jobs the retention in the archive by job id
	 * @return the result, empty if none of the jobs is live
	 */
	CancelResult cancel(Map<UUID, @Nullable Duration> jobs);

	/**
	 * Make waiting jobs that have had an attempt due now, and reset their attempts and
	 * failures.
	 * @param jobs the ids of the jobs
	 * @return the changed jobs
	 */
	ChangeResult retry(Collection<UUID> jobs);

	/**
	 * Release a job that waits for predecessors.
	 * @param job the id of the job
	 * @return the changed job
	 */
	ChangeResult release(UUID job);

	/**
	 * Move archived jobs that did not succeed back to the live jobs, due now and without
	 * past attempts. This waits for transactions that use one of their unique keys. A job
	 * whose key is taken stays in the archive.
	 * @param jobs the ids of the jobs
	 * @return the changed jobs, and the holders of keys that are taken
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * uses a key for longer than the lock timeout
	 */
	ChangeResult revive(Collection<UUID> jobs);

	/**
	 * Change the time at which waiting jobs are due. Jobs that are due keep their
	 * position if the new time is not in the future.
	 * @param jobs the ids of the jobs
	 * @param runAt the time; a time in the past counts as now
	 * @return the changed jobs
	 */
	ChangeResult reschedule(Collection<UUID> jobs, Instant runAt);

	/**
	 * Change the priority of live jobs, running ones included.
	 * @param jobs the ids of the jobs
	 * @param priority the value of the new priority
	 * @return the changed jobs
	 */
	ChangeResult reprioritise(Collection<UUID> jobs, int priority);

	/**
	 * Delete live jobs that are not running.
	 * @param jobs the ids of the jobs
	 * @return the deleted jobs
	 */
	ChangeResult delete(Collection<UUID> jobs);

	/**
	 * Delete archived jobs.
	 * @param jobs the ids of the jobs
	 * @return the deleted jobs
	 */
	ChangeResult deleteArchived(Collection<UUID> jobs);

	/**
	 * Enqueue copies of archived jobs, without their unique keys.
	 * @param copies the ids of the copies by the ids of the archived jobs
	 * @return the copies
	 */
	ChangeResult replay(Map<UUID, UUID> copies);

	/**
	 * The location of a job.
	 *
	 * @param queue its queue
	 * @param finished whether it is in the archive
	 */
	record JobLocation(String queue, boolean finished) {
	}

	/**
	 * The result of a request to cancel jobs.
	 *
	 * @param running the ids of the running jobs, whose workers are requested to cancel
	 * them
	 * @param ended the jobs that were cancelled because they were not running
	 * @param available the jobs that no longer wait for these
	 */
	record CancelResult(Collection<UUID> running, List<EndedJob> ended, Collection<JobsAvailable> available) {
	}

	/**
	 * The result of a change.
	 *
	 * @param jobs the ids of the changed jobs
	 * @param available the jobs that can be claimed now or when they are due
	 * @param holders for each job that was not changed because its unique key is taken,
	 * the id of the job that has the key
	 * @param predecessors the ids of the deleted jobs that others wait for, to be
	 * resolved by {@link DependencyStore#resolve}, and of revived steps of workflows
	 */
	record ChangeResult(Set<UUID> jobs, Collection<JobsAvailable> available, Map<UUID, UUID> holders,
			Collection<UUID> predecessors) {
	}

}
