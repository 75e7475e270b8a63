package io.jobqueue;

/**
 * A job was cancelled. Published by one JVM: the caller of {@code cancel} for a waiting
 * job, otherwise the worker or the reaper that ended it.
 *
 * @param job the job, {@link JobState#CANCELLED}
 */
public record JobCancelled(JobInfo job) implements JobEvent {
}
