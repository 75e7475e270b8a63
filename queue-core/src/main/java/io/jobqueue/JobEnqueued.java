package io.jobqueue;

/**
 * Published after the commit that enqueued a job, or updated a waiting job with the same
 * unique key. There is no event for a transaction that is rolled back, nor for jobs that
 * a rollback to a savepoint of Spring's transaction manager removed. Savepoints made with
 * SQL or on the connection are not detected.
 * <p>
 * The job may run or have finished before a listener is called. If a call enqueues more
 * than 1,000 jobs, {@code enqueuedAt} is the time at which it began.
 *
 * @param job the job, {@link JobState#READY}, {@link JobState#SCHEDULED} or
 * {@link JobState#BLOCKED}; an updated job that has failed before may be
 * {@link JobState#RETRYING}
 */
public record JobEnqueued(JobInfo job) implements JobEvent {
}
