package io.jobqueue;

import org.jspecify.annotations.Nullable;

/**
 * A job is dead: its attempts are used up, its handler or its retry policy gave it up, it
 * was delivered at most once and its attempt failed or was lost, or it failed with a
 * {@linkplain OnPredecessorFailure#FAIL predecessor}. Published by one JVM, which
 * recorded it; the column {@code last_error} contains the reason in any case.
 *
 * @param job the job, {@link JobState#DEAD}
 * @param exception what the handler threw, or why it could not be called; {@code null} if
 * nothing was thrown: the handler's {@link JobResult} ended it, it was lost with its
 * worker, the worker stopped, or a predecessor failed
 */
public record JobDied(JobInfo job, @Nullable Throwable exception) implements JobEvent {
}
