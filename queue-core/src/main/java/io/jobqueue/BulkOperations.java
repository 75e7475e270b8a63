package io.jobqueue;

import java.time.Instant;

/**
 * What operators can do about all jobs that a query asks for. Each call goes through them
 * in steps of up to 500 jobs, each a transaction of its own: what has been done stays
 * done if a later step fails, and the log says how much that is. Jobs that are enqueued
 * after it began are left out, and so are those for which the operation is refused or
 * that another transaction keeps locked. The query's limit does not matter, and it must
 * not begin after a page.
 * <p>
 * A query whose conditions lead to few jobs makes short work; else all jobs are looked
 * at, at about 100,000 in a second.
 */
public interface BulkOperations {

	/**
	 * {@link JobOperations#retry Retry} jobs; those in the states that the query names,
	 * else what is retrying or dead.
	 * @param query which jobs
	 * @return how many run again
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long retry(JobQuery query);

	/**
	 * {@link JobOperations#cancel Cancel} jobs.
	 * @param query which jobs
	 * @return how many were cancelled or, since they run, asked to end
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long cancel(JobQuery query);

	/**
	 * {@link JobOperations#delete Delete} jobs, live and archived.
	 * @param query which jobs
	 * @return how many were deleted
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long delete(JobQuery query);

	/**
	 * {@link JobOperations#reschedule Reschedule} jobs. Those that are due keep their
	 * place in the queue if they are to be so.
	 * @param query which jobs
	 * @param runAt when they are due; what is past is now
	 * @return how many were rescheduled
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long reschedule(JobQuery query, Instant runAt);

	/**
	 * {@link JobOperations#reprioritise Change the priority} of jobs.
	 * @param query which jobs
	 * @param priority their priority
	 * @return how many had another one
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long reprioritise(JobQuery query, Priority priority);

	/**
	 * {@link JobOperations#replay Replay} archived jobs: those from a
	 * {@link JobQuery#finishedFrom time} or a {@link JobQuery#fromPosition position} on,
	 * for instance. They are added in the order of their ids, the oldest first.
	 * @param query which jobs
	 * @return how many copies were added
	 * @throws org.springframework.dao.DataAccessException if the database fails
	 */
	long replay(JobQuery query);

}
