package io.jobqueue;

import java.time.Instant;

/**
 * Operations on all jobs that a query selects. Each call works in steps of up to 500
 * jobs, each in its own transaction: if a step fails, the earlier ones stay done, and the
 * log names their number of jobs. A call skips jobs that were enqueued after it began,
 * jobs for which the operation is refused, and jobs that another transaction has locked;
 * a retry also skips jobs whose latest attempt has begun since, so that a job that fails
 * again meanwhile is retried once. The query's limit has no effect. A query that sets
 * {@link JobQuery#after} is refused with an {@link IllegalArgumentException}.
 * <p>
 * If the query's conditions lead to few jobs, the call is quick; otherwise it reads all
 * jobs, about 100,000 per second.
 */
public interface BulkOperations {

	/**
	 * {@link JobOperations#retry Retry} jobs: those in the states of the query or, if it
	 * has none, those that are retrying or dead.
	 * @param query the query
	 * @return the number of jobs that were retried
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long retry(JobQuery query);

	/**
	 * {@link JobOperations#cancel Cancel} jobs.
	 * @param query the query
	 * @return the number of jobs that were cancelled or, because they run, requested to
	 * end
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long cancel(JobQuery query);

	/**
	 * {@link JobOperations#delete Delete} jobs, live and archived.
	 * @param query the query
	 * @return the number of jobs that were deleted
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long delete(JobQuery query);

	/**
	 * {@link JobOperations#reschedule Reschedule} jobs. Jobs that are due and stay due
	 * keep their place in the queue.
	 * @param query the query
	 * @param runAt when they are due; a past time becomes now
	 * @return the number of jobs that were rescheduled
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long reschedule(JobQuery query, Instant runAt);

	/**
	 * {@link JobOperations#reprioritise Change the priority} of jobs.
	 * @param query the query
	 * @param priority the new priority
	 * @return the number of jobs that had another priority
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long reprioritise(JobQuery query, Priority priority);

	/**
	 * {@link JobOperations#replay Replay} archived jobs, for example those from a
	 * {@link JobQuery#finishedFrom time} or a {@link JobQuery#fromPosition position} on.
	 * The copies are added in the order of the original ids, the oldest first.
	 * @param query the query
	 * @return the number of copies
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long replay(JobQuery query);

}
