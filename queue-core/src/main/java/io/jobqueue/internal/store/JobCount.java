package io.jobqueue.internal.store;

/**
 * A number of jobs.
 *
 * @param jobs the number
 * @param capped whether there may be more, as counting has ended at a cap
 */
public record JobCount(long jobs, boolean capped) {
}
