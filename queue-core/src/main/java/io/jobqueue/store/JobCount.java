package io.jobqueue.store;

/**
 * A number of jobs.
 *
 * @param jobs the number
 * @param estimated whether there were too many to count them
 */
public record JobCount(long jobs, boolean estimated) {
}
