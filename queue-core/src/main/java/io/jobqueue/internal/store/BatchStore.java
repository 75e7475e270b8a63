package io.jobqueue.internal.store;

import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.BatchDetails;
import io.jobqueue.BatchInfo;
import io.jobqueue.internal.store.JobStore.EnqueueResult;

/**
 * Starts, seals and reads batches in the caller's transaction. Their members are written
 * by {@link JobStore#enqueue} and their ends recorded by {@link DependencyStore#resolve}.
 */
public interface BatchStore {

	/**
	 * Insert a batch, and its callbacks as jobs that wait for its end.
	 * @param batch the id of the batch
	 * @param name its name
	 * @param callbacks the callback, and the one for failures if there is one
	 * @param parent the id of the job whose handler starts the batch, {@code null} for
	 * none
	 * @return the result for each callback
	 */
	EnqueueResult start(UUID batch, String name, List<NewJob> callbacks, @Nullable UUID parent);

	/**
	 * Accept no further members. Waits for transactions that have added some.
	 * @param batch the id of the batch
	 * @return whether the batch exists
	 */
	boolean seal(UUID batch);

	/**
	 * Find a batch.
	 * @param batch the id of the batch
	 * @return the batch, {@code null} if there is none
	 */
	@Nullable BatchDetails find(UUID batch);

	/**
	 * Return the numbers of the batch of a live job.
	 * @param job the id of a member or a callback
	 * @return the numbers, {@code null} if it is neither
	 */
	@Nullable BatchInfo findByJob(UUID job);

	/**
	 * List the unfinished batches, the last one first.
	 * @param limit the maximum number of batches
	 * @return the batches
	 */
	List<BatchDetails> unfinished(int limit);

	/**
	 * List the finished batches, the one that finished last first.
	 * @param limit the maximum number of batches
	 * @return the batches
	 */
	List<BatchDetails> finished(int limit);

	/**
	 * Return the jobs that run when a batch has ended, which may no longer exist.
	 * @param batch the id of the batch
	 * @return the callbacks, {@code null} if there is no such batch
	 */
	@Nullable Callbacks callbacks(UUID batch);

	/**
	 * The callbacks of a batch.
	 *
	 * @param then the id of the job that runs after the last member
	 * @param failure the id of the job that runs if a member has failed, {@code null} if
	 * the batch has none
	 */
	record Callbacks(UUID then, @Nullable UUID failure) {
	}

}
