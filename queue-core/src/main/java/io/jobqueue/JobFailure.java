package io.jobqueue;

/**
 * An attempt that failed.
 *
 * @param job the job
 * @param exception what the handler threw, or why it could not be called
 */
public record JobFailure(JobContext job, Throwable exception) {
}
