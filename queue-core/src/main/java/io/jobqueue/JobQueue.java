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
 * if that transaction commits, and no worker sees it earlier. A rollback to a savepoint
 * removes the jobs that were enqueued after it. Without a transaction of the caller, the
 * call runs in its own and the job exists when it returns; {@code
 * jobqueue.producer.require-transaction} refuses such calls instead. The same applies to
 * a call in a callback after the end of a transaction, such as {@code afterCommit}. It
 * needs a second connection, because the ended transaction keeps its connection until the
 * callbacks have run.
 * <p>
 * It is <em>not</em> guaranteed that the handler runs once for a committed job: by
 * default a job is delivered at least once.
 * <p>
 * Every method throws a {@link JobRejectedException}, before anything is written, if a
 * request cannot be stored: see there for the reasons. If the database fails, the method
 * throws a Spring {@code DataAccessException} or {@code TransactionException}; the
 * caller's transaction must then be rolled back. If the connection breaks during a
 * commit, the job may exist although the call throws. Exceptions of a
 * {@link JobInterceptor} reach the caller unchanged. All methods are safe for use by
 * several threads.
 */
public interface JobQueue {

	/**
	 * Enqueue a job for the payload, with the defaults of its queue.
	 * @param payload the payload; its queue is the one of its {@link JobType}, else that
	 * of the only handler of its type in this JVM that subscribes to no topic, else
	 * {@code default}
	 * @return the receipt of the new job
	 * @throws JobRejectedException if the payload cannot be stored
	 */
	JobReceipt enqueue(Object payload);

	/**
	 * Enqueue a job for the payload to the given queue.
	 * @param queue the queue's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 * @param payload the payload
	 * @return the receipt of the new job
	 * @throws JobRejectedException if the queue's name is invalid or the payload cannot
	 * be stored
	 */
	JobReceipt enqueue(String queue, Object payload);

	/**
	 * Enqueue a job with options.
	 * @param request the payload and its options
	 * @return the receipt of the new job, or of the existing one with the same key
	 * @throws JobRejectedException if the request cannot be stored
	 */
	JobReceipt enqueue(JobRequest request);

	/**
	 * Enqueue all jobs, or none if one of them is rejected. The call sends a few
	 * statements for every 1,000 jobs, not for each job.
	 * @param requestsOrPayloads the requests; an element that is no {@link JobRequest} is
	 * a payload, enqueued like that of {@link #enqueue(Object)}
	 * @return a receipt for each element, in their order
	 * @throws JobRejectedException if one of them is {@code null} or cannot be stored
	 */
	List<JobReceipt> enqueueAll(Collection<?> requestsOrPayloads);

	/**
	 * Enqueue a job for each subscription to a topic that matches the payload's type and
	 * the request's headers; see {@link JobHandler#topic()}. All or none of the jobs are
	 * enqueued. The call sends a statement that reads the subscriptions, and those of
	 * {@link #enqueueAll}.
	 * <p>
	 * A subscription exists from the first start of a worker that declares it, also while
	 * no worker of the subscriber runs: its jobs wait in its queue. What is published
	 * before that is not delivered to it.
	 * @param topic the topic's name, {@code [a-z0-9][a-z0-9_-]{0,99}}
	 * @param payloadOrRequest the payload, or a {@link JobRequest} whose options each of
	 * the jobs has; without a queue, a key and predecessors
	 * @return a receipt for each subscription, in the order of the names of the
	 * subscribers; empty if none matches
	 * @throws JobRejectedException if the topic's name is invalid; if the request has a
	 * queue, a key or predecessors; or if one of the jobs cannot be stored
	 */
	List<JobReceipt> publish(String topic, Object payloadOrRequest);

	/**
	 * Define a batch: many jobs, and one that runs when all of them have ended.
	 * @param name a name for operators, 1 to 800 characters; several batches may have it
	 * @return a builder, which starts the batch
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
