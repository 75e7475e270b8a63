package io.jobqueue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import org.springframework.lang.CheckReturnValue;

/**
 * Finds, counts and changes stored jobs.
 * <p>
 * Each call runs in its own transaction, even if the caller has one: its changes stay if
 * the caller rolls back, and it does not see uncommitted jobs of the caller. Do not call
 * it for a job that the caller's transaction has changed.
 * <p>
 * Each change writes a line to the log, with the name of the user if Spring Security
 * knows one, and a row to the table {@code jobqueue_operator_log}, in the transaction of
 * the change. The table keeps the rows for 90 days, and at most some 1,100,000.
 */
public interface JobOperations {

	/**
	 * Return the same operations with a reason for the operator log:
	 *
	 * <pre class="code">
	 * operations.because("the mail server is back").retry(id);</pre>
	 * @param reason the reason, not confidential, at most 500 characters
	 * @return operations whose changes, also those in {@link #bulk() bulk}, are logged
	 * with that reason
	 * @throws IllegalArgumentException if the reason is empty, has more than 500
	 * characters, or contains the character NUL or an unpaired surrogate
	 */
	@CheckReturnValue
	JobOperations because(String reason);

	/**
	 * Find a live or archived job.
	 * @param id the job's id
	 * @return the job, empty if it does not exist or is no longer in the archive
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<JobInfo> find(UUID id);

	/**
	 * Explain why a job is not running, and what to do. If several reasons apply, the
	 * explanation has the first one in the order of {@link Explanation.Reason}: first
	 * those of the job itself, then those of its queue and of the workers.
	 * <p>
	 * The explanation is of the moment of the call, read in several transactions: it may
	 * be outdated when it is returned, and is no guarantee that the job runs once its
	 * reason has gone. Handlers and limits are those that the workers publish. The call
	 * reads a few rows through indexes, whatever the size of the tables; it is meant for
	 * people. A job that has been due for a second without a visible reason is locked for
	 * the time of one statement, to find out whether another transaction has locked it.
	 * @param id the job's id
	 * @return the explanation; its reason is {@link Explanation.Reason#UNKNOWN} if there
	 * is no such job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Explanation explain(UUID id);

	/**
	 * Read the beginning of the payload of a live or archived job. It may be
	 * confidential: the queue shows payloads only if a setting or a call requests it.
	 * @param id the job's id
	 * @return the beginning of the payload, empty if there is no such job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<JobPayload> payload(UUID id);

	/**
	 * Find the live job with a unique key; if it has a follow-up, the first of the two.
	 * @param queue the queue
	 * @param key the key
	 * @return the job, empty if none has the key
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<JobInfo> findByKey(String queue, String key);

	/**
	 * List live and archived jobs, page by page. The cost of a page does not grow with
	 * the tables: a search that finds few jobs ends after about one second with a
	 * {@linkplain JobPage#partial() partial} page.
	 * @param query the query
	 * @return the page
	 * @throws IllegalArgumentException if {@link JobQuery#after} is not the
	 * {@link JobPage#next() next} position of a page
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobPage list(JobQuery query);

	/**
	 * Count jobs by queue and state, up to the bounds of {@link JobStats}.
	 * @return the numbers
	 * @throws JobQueueException if the database does not answer in time
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobStats stats();

	/**
	 * Count the jobs of a queue by state, up to the bounds of {@link JobStats}.
	 * @param queue the queue
	 * @return the numbers, all zero if it has no job
	 * @throws JobQueueException if the database does not answer in time
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobStats stats(String queue);

	/**
	 * Count the live and archived jobs of a {@link JobRequest#group group} by state. The
	 * numbers shrink when the archive is purged. The call reads each job of the group: it
	 * is meant for people, and for groups of some 10,000 jobs.
	 * @param queue the queue
	 * @param group the group's name
	 * @return the numbers, all zero if the group has no job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	GroupProgress groupProgress(String queue, String group);

	/**
	 * Count the jobs of a {@link JobRequest#group group} over all queues, like
	 * {@link #groupProgress(String, String)}.
	 * @param group the group's name
	 * @return the numbers, all zero if the group has no job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	GroupProgress groupProgress(String group);

	/**
	 * Find a {@link Batch}. Finished batches are kept for 7 days.
	 * @param id the id of the batch
	 * @return the batch, empty if there is none
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<BatchDetails> batch(UUID id);

	/**
	 * List the unfinished batches, the latest first.
	 * @return the batches, at most 1,000
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	List<BatchDetails> batches();

	/**
	 * Make a retrying, dead or cancelled job, or one that waits after a release, due now
	 * and reset its attempts. An archived job keeps its id and position. The job no
	 * longer {@linkplain JobRequest#expiresAfter expires}.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown, runs, has succeeded or has not
	 * begun; or if another job has its unique key, which the message names
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job or its key for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void retry(UUID id);

	/**
	 * Release a job that waits for {@linkplain JobRequest#after predecessors}, even if
	 * they have failed or not finished. Its run-at, its keys and the limits of its queue
	 * still apply.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown, runs, has finished or waits
	 * for no predecessor
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void release(UUID id);

	/**
	 * Run a waiting job with its handler on the calling thread. The job is claimed as by
	 * a worker, but also before it is due and while it is paused, and its outcome is
	 * recorded before the call returns. The attempt counts: if it fails, the job is
	 * retried or dead. After the maximum run time the attempt has failed, but the thread
	 * is not interrupted.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown, runs, has finished, has
	 * expired or waits for others, if another transaction has locked it, or if this
	 * application has no handler for it
	 * @throws JobQueueException within a transaction, because the handler would not be
	 * part of it
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * holds a lock that the claim needs for half a second, such as that of the queue's
	 * keys or limits
	 * @throws ClaimLostException if the handler succeeded after the claim was lost
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 * @throws Exception the exception of the handler
	 */
	void runHere(UUID id) throws Exception;

	/**
	 * Enqueue a copy of an archived job, due now: a new job with its own id, whose
	 * {@link JobDetails#ancestor() ancestor} is the archived one. It has no unique key
	 * and no expiry; everything else is as the archived job was enqueued.
	 * @param id the id of the archived job
	 * @return the id of the copy
	 * @throws JobOperationException if the job is unknown or has not finished
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	UUID replay(UUID id);

	/**
	 * Cancel a job.
	 * <p>
	 * A waiting job (scheduled, ready, retrying or blocked) is {@link JobState#CANCELLED
	 * cancelled} at once: its unique key is free, and its follow-up can run.
	 * <p>
	 * A running job is requested to end. Within a heartbeat of its worker,
	 * {@link JobContext#cancelRequested()} returns {@code true}; if the handler still
	 * runs after {@code jobqueue.worker.cancel-grace}, its thread is interrupted. A
	 * handler that returns a success, or throws an exception of
	 * {@link JobHandler#succeedOn()}, has succeeded. With any other exception or result,
	 * the job is cancelled. It is also cancelled if its handler has not begun, if it is
	 * released when its worker stops, and if its worker is lost.
	 * @param id the job's id
	 * @return the outcome
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds: nothing was done
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	CancelOutcome cancel(UUID id);

	/**
	 * Cancel the live job with a unique key, like {@link #cancel(UUID)}; if it has a
	 * follow-up, the first of the two. If that job finishes during the call and another
	 * one then has the key, the other one is cancelled.
	 * @param queue the queue
	 * @param key the key
	 * @return the outcome; {@link CancelOutcome#UNKNOWN} if no live job has the key,
	 * {@link CancelOutcome#ALREADY_FINISHED} if the one that had it finished during the
	 * call
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds: nothing was done
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	CancelOutcome cancel(String queue, String key);

	/**
	 * Delete a live or archived job. Nothing of it is kept, and no event is published. A
	 * live job releases its keys, like a cancelled one.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown or runs
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void delete(UUID id);

	/**
	 * Change when a waiting job is due. A blocked job stays blocked, and the attempts do
	 * not change. The time at which it {@linkplain JobRequest#expiresAfter expires} moves
	 * by the same amount, so that a job that has expired and is not cancelled yet can
	 * still run.
	 * @param id the job's id
	 * @param runAt the time, by the database's clock; a past time becomes now
	 * @throws JobOperationException if the job is unknown, runs or has finished
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reschedule(UUID id, Instant runAt);

	/**
	 * Change when the live job with a unique key is due, like
	 * {@link #reschedule(UUID, Instant)}; if it has a follow-up, the first of the two. If
	 * that job finishes during the call and another one then has the key, the other one
	 * is changed.
	 * @param queue the queue
	 * @param key the key
	 * @param runAt the time, by the database's clock; a past time becomes now
	 * @throws JobOperationException if no live job has the key, or the one that has it
	 * runs
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reschedule(String queue, String key, Instant runAt);

	/**
	 * Change the priority of an unfinished job. If it runs, the change applies from the
	 * next attempt on.
	 * @param id the job's id
	 * @param priority the priority
	 * @throws JobOperationException if the job is unknown or has finished
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reprioritise(UUID id, Priority priority);

	/**
	 * Change the priority of the live job with a unique key, like
	 * {@link #reprioritise(UUID, Priority)}; if it has a follow-up, the first of the two.
	 * If that job finishes during the call and another one then has the key, the other
	 * one is changed.
	 * @param queue the queue
	 * @param key the key
	 * @param priority the priority
	 * @throws JobOperationException if no live job has the key
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * locks the job for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reprioritise(String queue, String key, Priority priority);

	/**
	 * Delete all waiting jobs of a queue, in steps. Running and archived jobs stay.
	 * @param queue the queue
	 * @return the number of deleted jobs
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long clear(String queue);

	/**
	 * Pause a queue: none of its jobs begins on any node until it is resumed. Takes
	 * effect within one second and survives restarts. Running jobs continue, and jobs can
	 * be enqueued. Has no effect on a paused queue.
	 * @param queue the queue
	 * @throws IllegalArgumentException if the name of the queue is invalid
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void pause(String queue);

	/**
	 * Pause a type of a queue, like {@link #pause(String)}.
	 * @param queue the queue
	 * @param type the name of the type
	 * @throws IllegalArgumentException if the name of the queue is invalid
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void pause(String queue, String type);

	/**
	 * Resume a queue. Types that were paused separately stay paused.
	 * @param queue the queue
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void resume(String queue);

	/**
	 * Resume a type of a queue. Its jobs begin unless the queue itself is paused.
	 * @param queue the queue
	 * @param type the name of the type
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void resume(String queue, String type);

	/**
	 * Return the paused queues and types.
	 * @return the pauses, ordered by queue and type
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	List<QueuePause> pauses();

	/**
	 * Return the subscriptions to topics, see {@link JobHandler#topic()}.
	 * @return the subscriptions, ordered by topic, subscriber and type, at most 10,000
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	List<TopicSubscription> subscriptions();

	/**
	 * End the subscriptions of a subscriber to a topic, for all types: what is published
	 * from now on is not delivered. The jobs in its queue stay. The next start of a
	 * worker that declares a subscription adds it again: remove its handler first.
	 * @param topic the topic
	 * @param subscriber the subscriber
	 * @return {@code false} if there is no such subscription
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	boolean unsubscribe(String topic, String subscriber);

	/**
	 * Return the operations on all jobs of a query.
	 * @return the operations
	 */
	BulkOperations bulk();

}
