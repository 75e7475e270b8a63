package io.jobqueue.store;

/**
 * Where a job is.
 *
 * @param queue its queue
 * @param finished whether it is in the archive
 */
public record JobPlace(String queue, boolean finished) {
}
