package io.jobqueue;

/**
 * The transaction that enqueued a job was committed, or one that updated a job which
 * waits and has the same unique key. There is no event for a transaction that was rolled
 * back, nor for jobs that a rollback to a savepoint removed, provided that Spring's
 * transaction manager made the savepoint: one that is made with SQL or on the connection
 * itself is not noticed.
 * <p>
 * The job may have begun, and even be done, when a listener is called. Where a call
 * enqueues more than a thousand jobs, {@code enqueuedAt} is when it began to.
 *
 * @param job the job, {@link JobState#READY}, {@link JobState#SCHEDULED} or
 * {@link JobState#BLOCKED}; where one was updated that has failed before, perhaps
 * {@link JobState#RETRYING}
 */
public record JobEnqueued(JobInfo job) implements JobEvent {
}
