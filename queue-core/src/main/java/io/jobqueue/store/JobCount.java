package io.jobqueue.store;

/**
 * A number of jobs.
 *
 * @param jobs the number
 * @param estimated whether the number is an estimate because there are too many jobs to
 * count
 */
public record JobCount(long jobs, boolean estimated) {
}
