package io.jobqueue;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.lang.CheckReturnValue;

/**
 * Many jobs, and a callback: one job that runs when all of them have ended.
 *
 * <pre class="code">
 * Batch batch = this.jobQueue.batch("import-42")
 *     .then(new ImportDone(42))
 *     .onFailure(new ImportFailed(42))
 *     .start();
 * batch.add(rows);
 * batch.seal();</pre>
 *
 * <p>
 * Each call writes on the caller's transaction, like {@link JobQueue#enqueue}: a rollback
 * undoes it. Members can be added in several transactions, also by handlers of members,
 * until the batch is sealed.
 * <p>
 * Exactly one callback becomes ready once the batch is sealed and its last member has
 * ended: that of {@code onFailure} if a member is dead or was cancelled or deleted,
 * otherwise that of {@code then}. Like any job, the callback is delivered at least once.
 * A member that is retried before the batch has finished counts as unfinished again; a
 * retry after that does not reopen the batch. A member that SQL of the application
 * deletes never ends, and the batch does not finish. A callback that is cancelled or
 * deleted does not run; a cancelled callback that is retried runs at once.
 * <p>
 * All methods are safe for use by several threads.
 */
public interface Batch {

	/**
	 * Return the id of the batch, for {@link JobQueue#batch(UUID)}.
	 * @return the id
	 */
	UUID id();

	/**
	 * Enqueue jobs as members of the batch, all or none. A request whose receipt is not
	 * {@link JobReceipt.Outcome#ADDED} does not become a member: another call has
	 * enqueued the job with its key. An empty collection has no effect, even after the
	 * seal.
	 * @param requestsOrPayloads the requests; an element that is no {@link JobRequest} is
	 * a payload
	 * @return a receipt for each element, in their order
	 * @throws JobRejectedException if the batch is sealed or unknown, or an element
	 * cannot be stored or waits for a callback of the batch; nothing is written then
	 */
	List<JobReceipt> add(Collection<?> requestsOrPayloads);

	/**
	 * Seal the batch: it accepts no further members. Waits until all transactions that
	 * have added members have ended, including those that add members during the call.
	 * Has no effect on a sealed batch. A batch without members finishes with the commit.
	 * @throws JobRejectedException if the batch is unknown
	 */
	void seal();

	/**
	 * Count the members of the batch. The call reads a few rows for any number of
	 * members, and one more for each {@link #add} of the caller's transaction.
	 * @return the numbers, including the writes of the caller's transaction
	 * @throws JobRejectedException if the batch is unknown: no such batch is committed,
	 * or it finished more than 7 days ago
	 */
	BatchInfo info();

	/**
	 * A batch that is not started yet. Immutable: each option returns a copy.
	 */
	@CheckReturnValue
	interface Builder {

		/**
		 * Set the job that runs when all members have ended. It exists from the start of
		 * the batch and is {@link JobState#BLOCKED} until then; its delay counts from the
		 * start.
		 * @param requestOrPayload the request or the payload
		 * @return a copy with that callback
		 */
		Builder then(Object requestOrPayload);

		/**
		 * Set the job that runs instead of that of {@link #then} if a member is dead or
		 * was cancelled or deleted. Default: that of {@link #then} runs in any case.
		 * @param requestOrPayload the request or the payload
		 * @return a copy with that callback
		 */
		Builder onFailure(Object requestOrPayload);

		/**
		 * Write the batch on the caller's transaction.
		 * @return the batch
		 * @throws JobRejectedException if {@link #then} is missing, or a callback cannot
		 * be stored, has a unique or an ordering key or names predecessors, or if a
		 * {@link JobInterceptor} passes on more or fewer of them; nothing is written then
		 */
		Batch start();

	}

}
