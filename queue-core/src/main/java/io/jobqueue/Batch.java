package io.jobqueue;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import org.springframework.lang.CheckReturnValue;

/**
 * Many jobs and one that follows when all of them have ended.
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
 * takes it back. Members are added in portions, in as many transactions as needed, also
 * by handlers of members, until the batch is sealed.
 * <p>
 * Exactly one callback becomes ready once the batch is sealed and its last member has
 * ended: the one of {@code onFailure} if a member is dead or was cancelled or deleted,
 * otherwise that of {@code then}. Like any job, the callback is delivered at least once.
 * A member that is retried before the batch has finished counts as unfinished again; a
 * retry after that does not reopen the batch. A member that SQL of the application
 * deletes never ends, and the batch does not finish. An operator who cancels or deletes a
 * callback keeps it from following; one who retries a cancelled callback lets it run at
 * once.
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
	 * {@link JobReceipt.Outcome#ADDED} is no member: the job that has its key was
	 * enqueued by others. An empty collection has no effect, also after the seal.
	 * @param requestsOrPayloads the requests; what is no {@link JobRequest} is a payload
	 * @return a receipt for each element, in their order
	 * @throws JobRejectedException if the batch is sealed or unknown, or an element
	 * cannot be stored or waits for a callback of the batch; nothing is written then
	 */
	List<JobReceipt> add(Collection<?> requestsOrPayloads);

	/**
	 * Accept no further members. Waits until no transaction is open that has added some,
	 * also for those that add members meanwhile. Has no effect on a batch that is sealed
	 * already. A sealed batch without members finishes with the commit.
	 * @throws JobRejectedException if the batch is unknown
	 */
	void seal();

	/**
	 * Return the numbers of the batch. The call reads a few rows, however many members
	 * there are, and one more for each {@link #add} of the caller's transaction.
	 * @return the numbers, with what the caller's transaction has written
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
		 * Set the job that follows when all members have ended. It exists from the start
		 * of the batch and is {@link JobState#BLOCKED} until then; its delay counts from
		 * the start.
		 * @param requestOrPayload the request or the payload
		 * @return a copy with that callback
		 */
		Builder then(Object requestOrPayload);

		/**
		 * Set the job that follows instead of the one of {@link #then} if a member is
		 * dead or was cancelled or deleted. By default, {@link #then} applies always.
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
