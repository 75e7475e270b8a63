package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Releases jobs that wait for predecessors, and the callbacks of batches. A predecessor
 * that finishes and a job that is enqueued do not wait for each other: each call reads
 * what is committed, so that the last of two calls that overlap sees both. Locked rows
 * are skipped and returned. Every method commits in a transaction of its own.
 */
public interface DependencyStore {

	/**
	 * The maximum number of dependencies that one call of {@link #resolve} changes.
	 */
	int MAX_RESOLVED = 500;

	/**
	 * Mark live predecessors as awaited, and record in the dependencies on the others how
	 * they have ended. A predecessor that is neither live nor archived and has not failed
	 * counts as succeeded. Finish the batches among them whose members have all ended.
	 * @param predecessors the ids of the predecessors, jobs or batches
	 * @return the result
	 */
	Resolution resolve(Collection<UUID> predecessors);

	/**
	 * Release the jobs among the given ones whose predecessors have all finished as
	 * required. Must follow {@link #resolve} in a transaction of its own: two
	 * predecessors that finish at the same time do not see each other before their
	 * commits.
	 * @param jobs the ids of jobs that wait
	 * @return the result
	 */
	Release release(Collection<UUID> jobs);

	/**
	 * End jobs that fail with a failed predecessor. They are dead.
	 * @param jobs how long the archive keeps each job, {@code null} for no limit, zero to
	 * delete it
	 * @return the result
	 */
	Failure fail(Map<UUID, @Nullable Duration> jobs);

	/**
	 * Find dependencies that wait for one of the calls above: the JVM that was to make it
	 * stopped before, or SQL of the application deleted a job. Dependencies of jobs that
	 * no longer wait are deleted.
	 * @param last the dependency to continue after, {@code null} to start over
	 * @param limit the maximum number of dependencies to examine
	 * @return the result
	 */
	Sweep sweep(@Nullable Position last, int limit);

	/**
	 * Find sealed batches that have not finished, to be resolved in case the JVM that was
	 * to do so has stopped before.
	 * @param last the id of the batch to continue after, {@code null} to start over
	 * @param limit the maximum number of batches
	 * @return the ids of the batches, in their order
	 */
	List<UUID> sealedBatches(@Nullable UUID last, int limit);

	/**
	 * The result of recording how predecessors have ended.
	 *
	 * @param available the predecessors that can be claimed now or when they are due;
	 * claims have skipped them while this call had them locked
	 * @param satisfied the ids of jobs to release
	 * @param failing the queues of jobs to end, by their ids
	 * @param more whether there may be further dependencies on the predecessors, or
	 * further numbers of batches to sum
	 * @param locked the ids of predecessors to resolve again: another transaction has
	 * them locked, or this call has deleted a callback that others wait for
	 */
	record Resolution(Collection<JobsAvailable> available, Set<UUID> satisfied, Map<UUID, String> failing, boolean more,
			Set<UUID> locked) {
	}

	/**
	 * The result of releasing jobs.
	 *
	 * @param due the due jobs without keys
	 * @param available the other jobs that can be claimed now or when they are due, or
	 * need an admission
	 * @param locked the ids of jobs to release again: another transaction has them locked
	 */
	record Release(List<DueJob> due, Collection<JobsAvailable> available, Set<UUID> locked) {
	}

	/**
	 * The result of ending jobs.
	 *
	 * @param ended the jobs that are dead; locked ones are not among them
	 * @param available the jobs that no longer wait for these
	 */
	record Failure(List<EndedJob> ended, Collection<JobsAvailable> available) {
	}

	/**
	 * A dependency, as a position in the order of all dependencies.
	 *
	 * @param predecessor the id of the predecessor
	 * @param job the id of the job that waits for it
	 */
	record Position(UUID predecessor, UUID job) {
	}

	/**
	 * The result of one call of the sweep.
	 *
	 * @param predecessors the ids of predecessors to resolve
	 * @param jobs the ids of jobs to release
	 * @param last the dependency to continue after, {@code null} if there are no more
	 */
	record Sweep(Set<UUID> predecessors, Set<UUID> jobs, @Nullable Position last) {
	}

}
