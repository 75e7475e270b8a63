package io.jobqueue.store;

/**
 * How many workers are alive.
 *
 * @param living all of them
 * @param here those of one node
 */
public record WorkerCount(long living, long here) {
}
