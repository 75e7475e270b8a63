package io.jobqueue;

/**
 * A job was cancelled. Published once over all JVMs, by the one that ended it: the one
 * that asked for it if the job was waiting, else the one that ran it or the reaper.
 *
 * @param job the job, {@link JobState#CANCELLED}
 */
public record JobCancelled(JobInfo job) implements JobEvent {
}
