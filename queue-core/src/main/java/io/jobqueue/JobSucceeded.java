package io.jobqueue;

/**
 * A job has succeeded.
 *
 * @param job the job, {@link JobState#SUCCEEDED}
 */
public record JobSucceeded(JobInfo job) implements JobEvent {
}
