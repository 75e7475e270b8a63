package io.jobqueue;

/**
 * A job was cancelled. Told once in all JVMs together, by the one that ended it: the one
 * that asked for it if the job was waiting, else the one that ran it or the reaper.
 *
 * @param job the job, {@link JobState#CANCELLED}
 */
public record JobCancelled(JobInfo job) implements JobEvent {
}
