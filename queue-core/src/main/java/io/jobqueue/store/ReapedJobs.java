package io.jobqueue.store;

/**
 * Jobs that were taken away from their worker.
 *
 * @param tier their queue and priority
 * @param position a place in the tier that none of them comes before
 * @param type their type
 * @param worker the name of the worker that had them, or its id if nobody knows the name
 * @param dead whether they died, instead of being ready again
 * @param count how many there are
 */
public record ReapedJobs(Tier tier, Position position, String type, String worker, boolean dead, long count) {
}
