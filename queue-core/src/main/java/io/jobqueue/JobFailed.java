package io.jobqueue;

import org.jspecify.annotations.Nullable;

/**
 * An attempt failed, and the job will run again. There is no event for attempts that are
 * lost with their worker.
 *
 * @param job the job, {@link JobState#RETRYING}
 * @param exception what the handler threw, or why it could not be called; {@code null} if
 * it requested {@link JobResult#retryIn another attempt}
 */
public record JobFailed(JobInfo job, @Nullable Throwable exception) implements JobEvent {
}
