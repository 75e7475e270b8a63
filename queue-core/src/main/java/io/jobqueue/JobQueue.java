package io.jobqueue;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Enqueues jobs into the application's own database.
 *
 * <pre class="code">
 * &#64;Transactional
 * void signUp(Profile profile) {
 *     long userId = this.users.insert(profile);
 *     this.jobQueue.enqueue(new ConfirmationEmail(userId));
 * }</pre>
 *
 * <p>
 * The row is written within the call, on the caller's transaction: the job exists exactly
 * if that transaction commits, and no worker sees it earlier. Rolling back to a savepoint
 * takes along what was enqueued after it. Without a transaction the call runs in one of
 * its own and the job exists when it returns, unless
 * {@code jobqueue.producer.require-transaction} forbids that. So does a call in a
 * callback after the end of a transaction, such as {@code afterCommit}: it needs a second
 * connection, as the ended transaction keeps its own until the callbacks have run.
 * <p>
 * What does <em>not</em> follow from a committed enqueue is that the handler runs once:
 * by default a job is delivered at least once.
 * <p>
 * Every method throws a {@link JobRejectedException}, before anything is written, if a
 * request cannot be stored: see there for the reasons. A failing database surfaces as a
 * Spring {@code DataAccessException} or {@code TransactionException}; the caller's
 * transaction then has to be rolled back. If the connection breaks during a commit, the
 * job may exist although the call throws. What a {@link JobInterceptor} throws reaches
 * the caller as it is. All methods are safe for use by several threads.
 */
public interface JobQueue {

	/**
	 * Enqueue a job for the payload, with the defaults of its queue.
	 * @param payload the payload; its queue is the one of its {@link JobType}, else that
	 * of the only handler of its type in this JVM, else {@code default}
	 * @return the receipt of the new job
	 * @throws JobRejectedException if the payload cannot be stored
	 */
	JobReceipt enqueue(Object payload);

	/**
	 * Enqueue a job for the payload to the given queue.
	 * @param queue the queue's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 * @param payload the payload
	 * @return the receipt of the new job
	 * @throws JobRejectedException if the queue's name is none or the payload cannot be
	 * stored
	 */
	JobReceipt enqueue(String queue, Object payload);

	/**
	 * Enqueue the requested job.
	 * @param request the payload and its options
	 * @return the receipt of the new job
	 * @throws JobRejectedException if the request cannot be stored
	 */
	JobReceipt enqueue(JobRequest request);

	/**
	 * Enqueue all jobs or, if one of them is rejected, none. The number of statements
	 * grows with the thousands of jobs, not with the jobs.
	 * @param requestsOrPayloads the requests; what is no {@link JobRequest} is a payload,
	 * enqueued like that of {@link #enqueue(Object)}
	 * @return a receipt for each element, in their order
	 * @throws JobRejectedException if one of them is {@code null} or cannot be stored
	 */
	List<JobReceipt> enqueueAll(Collection<?> requestsOrPayloads);

	/**
	 * Define a batch: many jobs and one that follows when all of them have ended.
	 * @param name a name for operators, 1 to 800 characters; several batches may have it
	 * @return a batch to complete and start
	 */
	Batch.Builder batch(String name);

	/**
	 * Return a batch that was started before, for example to add members in a handler.
	 * Does not access the database.
	 * @param id the id of the batch
	 * @return the batch
	 */
	Batch batch(UUID id);

}
