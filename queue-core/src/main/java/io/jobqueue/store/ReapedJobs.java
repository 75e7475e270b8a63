package io.jobqueue.store;

/**
 * Jobs that were taken away from their worker.
 *
 * @param queue their queue
 * @param type their type
 * @param worker the name of the worker that had them, or its id if nobody knows the name
 * @param dead whether they died, instead of being ready again
 * @param count how many there are
 */
public record ReapedJobs(String queue, String type, String worker, boolean dead, long count) {
}
