package io.jobqueue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * What operators, and applications, can do about jobs that are there.
 * <p>
 * Each call is a transaction of its own, whether or not the caller has one: what it does
 * stays done if the caller rolls back, and it does not see jobs that the caller has not
 * committed yet. Do not call it for a job that the caller's own transaction has changed.
 * <p>
 * What changes something leaves a line in the log, with the name of the user where Spring
 * Security knows one.
 */
public interface JobOperations {

	/**
	 * Look for a job, live or archived.
	 * @param id the job's id
	 * @return the job, empty if there is none, or the archive does not keep it any more
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<JobInfo> find(UUID id);

	/**
	 * Read the payload of a job, live or archived, up to a bound. What is returned may be
	 * confidential: the library shows it nowhere unless a setting or call asks for it.
	 * @param id the job's id
	 * @return the beginning of the payload, empty if there is no such job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<JobPayload> payload(UUID id);

	/**
	 * Look for the live job that has a unique key: the first of the two where another one
	 * follows it.
	 * @param queue the queue
	 * @param key the key
	 * @return the job, empty if none has the key
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<JobInfo> findByKey(String queue, String key);

	/**
	 * List jobs, live and archived, page by page. What a page costs does not grow with
	 * the tables: a search that meets few of the jobs it is looking for ends after about
	 * a second, and {@link JobPage#partial() says so}.
	 * @param query which jobs
	 * @return the page
	 * @throws IllegalArgumentException if the query begins at a place that no page has
	 * named
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobPage list(JobQuery query);

	/**
	 * Count jobs by queue and state, up to a bound.
	 * @return the numbers
	 * @throws JobQueueException if they cannot be counted at the moment
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobStats stats();

	/**
	 * Count the jobs of a queue by their state, up to a bound.
	 * @param queue the queue
	 * @return the numbers, all of them zero if it has no job
	 * @throws JobQueueException if they cannot be counted at the moment
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobStats stats(String queue);

	/**
	 * Count the jobs of a {@link JobRequest#group group} by their state, live and
	 * archived ones. The numbers shrink as the archive is purged. Reads each job of the
	 * group once: meant for people, and groups of some ten thousand jobs.
	 * @param queue the queue
	 * @param group the group's name
	 * @return the numbers, all of them zero if there is no such job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	GroupProgress groupProgress(String queue, String group);

	/**
	 * Count the jobs of a {@link JobRequest#group group} over all queues, like
	 * {@link #groupProgress(String, String)}.
	 * @param group the group's name
	 * @return the numbers, all of them zero if there is no such job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	GroupProgress groupProgress(String group);

	/**
	 * Find a {@link Batch}. Finished ones are found for 7 days.
	 * @param id the id of the batch
	 * @return the batch, empty if there is none
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	Optional<BatchDetails> batch(UUID id);

	/**
	 * List the batches that have not finished, the last one first.
	 * @return the batches, at most 1,000
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	List<BatchDetails> batches();

	/**
	 * Run a job again now, with all its attempts: one that waits after an attempt that
	 * failed or was released, or an archived one that is dead or cancelled. That one
	 * comes back under its id and with its place in the order of enqueueing. The job does
	 * not {@linkplain JobRequest#expiresAfter expire} any more.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown, runs, has succeeded or has not
	 * begun; or if another job has its unique key, which the message names
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job or its key locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void retry(UUID id);

	/**
	 * Let a job run that waits for {@linkplain JobRequest#after predecessors}, even if
	 * they have failed or not finished. Its run-at, its keys and its queue's limits still
	 * apply.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown, runs, has finished or waits
	 * for no predecessor
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void release(UUID id);

	/**
	 * Run a waiting job with its handler on this thread, and see what happens. The job is
	 * claimed as by a worker, but also before it is due and while it is paused; what
	 * becomes of it is recorded before this returns. Its attempt counts, and may lead to
	 * a retry, or to its death. The thread is not interrupted when the maximum run time
	 * is over, but then the attempt has failed.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown, runs, has finished, has
	 * expired or waits for others, if another transaction has it locked, or if no handler
	 * here knows it
	 * @throws JobQueueException within a transaction: what the handler does would be no
	 * part of that
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps what a claim needs locked, such as the turn to evaluate the queue's keys or
	 * within its limits, for half a second
	 * @throws ClaimLostException if the handler succeeded too late: others have the job
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 * @throws Exception what the handler throws
	 */
	void runHere(UUID id) throws Exception;

	/**
	 * Add a copy of an archived job, to run now: a new job with an id of its own, which
	 * {@link JobDetails#ancestor() names its ancestor}. It has neither a unique key nor
	 * an expiry, and all else that the other was enqueued with.
	 * @param id the id of the archived job
	 * @return the id of the copy
	 * @throws JobOperationException if the job is unknown or has not finished
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	UUID replay(UUID id);

	/**
	 * Cancel a job.
	 * <p>
	 * One that waits (scheduled, ready, retrying or blocked) is {@link JobState#CANCELLED
	 * cancelled} at once: its unique key is free, and the job that follows it may run.
	 * <p>
	 * One that runs is asked to end. Within a heartbeat of its worker,
	 * {@link JobContext#cancelRequested()} turns true; if it still runs after
	 * {@code jobqueue.worker.cancel-grace}, its thread is interrupted. How it ends
	 * decides: a handler that returns has succeeded, and so has one that throws what it
	 * {@link JobHandler#succeedOn() succeeds on}; one that throws anything else, fails or
	 * asks for another run is cancelled. So is a job that was claimed and has not begun,
	 * one that is released when its worker stops, and one whose worker is lost.
	 * @param id the job's id
	 * @return what was done
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds: nothing was done
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	CancelOutcome cancel(UUID id);

	/**
	 * Cancel the live job that has a unique key, like {@link #cancel(UUID)}: the first of
	 * the two where another one follows it. If that job finishes during the call and
	 * another one has the key then, the other one is cancelled.
	 * @param queue the queue
	 * @param key the key
	 * @return what was done; {@link CancelOutcome#UNKNOWN} if no live job has the key,
	 * {@link CancelOutcome#ALREADY_FINISHED} if the one that had it finished during the
	 * call
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds: nothing was done
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	CancelOutcome cancel(String queue, String key);

	/**
	 * Delete a job, live or archived: nothing is kept of it, and no event is published. A
	 * live one releases its keys, like one that is cancelled.
	 * @param id the job's id
	 * @throws JobOperationException if the job is unknown or runs
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void delete(UUID id);

	/**
	 * Change when a waiting job is due. One that waits for others still does, and its
	 * attempts stay what they are. The time at which it
	 * {@linkplain JobRequest#expiresAfter expires} moves by as much; so a job that has
	 * expired and is not cancelled yet can still run.
	 * @param id the job's id
	 * @param runAt the time, by the database's clock; one that is past is now
	 * @throws JobOperationException if the job is unknown, runs or has finished
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reschedule(UUID id, Instant runAt);

	/**
	 * Change when the live job that has a unique key is due, like
	 * {@link #reschedule(UUID, Instant)}: the first of the two where another one follows
	 * it. If that job finishes during the call and another one has the key then, the
	 * other one is changed.
	 * @param queue the queue
	 * @param key the key
	 * @param runAt the time, by the database's clock; one that is past is now
	 * @throws JobOperationException if no live job has the key, or the one that has it
	 * runs
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reschedule(String queue, String key, Instant runAt);

	/**
	 * Change the priority of a job that has not finished. For one that runs, the next
	 * attempt counts.
	 * @param id the job's id
	 * @param priority the priority
	 * @throws JobOperationException if the job is unknown or has finished
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reprioritise(UUID id, Priority priority);

	/**
	 * Change the priority of the live job that has a unique key, like
	 * {@link #reprioritise(UUID, Priority)}: the first of the two where another one
	 * follows it. If that job finishes during the call and another one has the key then,
	 * the other one is changed.
	 * @param queue the queue
	 * @param key the key
	 * @param priority the priority
	 * @throws JobOperationException if no live job has the key
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void reprioritise(String queue, String key, Priority priority);

	/**
	 * Delete all jobs of a queue that wait, in steps. What runs goes on, and the archive
	 * stays.
	 * @param queue the queue
	 * @return how many were deleted
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long clear(String queue);

	/**
	 * Have no job of a queue begin any more, on any node, until it is resumed. Takes
	 * effect within a second, and outlasts restarts. What runs goes on, and jobs may be
	 * enqueued. A queue that is paused already stays so.
	 * @param queue the queue
	 * @throws IllegalArgumentException if no queue can have that name
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void pause(String queue);

	/**
	 * Have no job of a type of a queue begin any more, like {@link #pause(String)}.
	 * @param queue the queue
	 * @param type the name of the type
	 * @throws IllegalArgumentException if no queue can have that name
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void pause(String queue, String type);

	/**
	 * Let jobs of a queue begin again. Types that were paused for themselves stay so.
	 * @param queue the queue
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void resume(String queue);

	/**
	 * Let jobs of a type of a queue begin again, unless all of that is paused.
	 * @param queue the queue
	 * @param type the name of the type
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	void resume(String queue, String type);

	/**
	 * Return what is paused.
	 * @return the pauses, by queue and type
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	List<QueuePause> pauses();

	/**
	 * Return what can be done about many jobs at a time.
	 * @return the operations
	 */
	BulkOperations bulk();

}
