package io.jobqueue;

import java.util.Optional;
import java.util.UUID;

/**
 * What operators, and applications, can do about jobs that are there.
 * <p>
 * Each call is a transaction of its own, whether or not the caller has one: what it does
 * stays done if the caller rolls back, and it does not see jobs that the caller has not
 * committed yet. Do not call it for a job that the caller's own transaction has changed.
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
	 * @throws JobQueueException if they cannot be told at the moment
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobStats stats();

	/**
	 * Count the jobs of a queue by their state, up to a bound.
	 * @param queue the queue
	 * @return the numbers, all of them zero if it has no job
	 * @throws JobQueueException if they cannot be told at the moment
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	JobStats stats(String queue);

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
	 * one that is given back when its worker stops, and one whose worker is lost.
	 * @param id the job's id
	 * @return what was done
	 * @throws org.springframework.dao.CannotAcquireLockException if another transaction
	 * keeps the job locked, for five seconds: nothing was done
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	CancelOutcome cancel(UUID id);

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

}
