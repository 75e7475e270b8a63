package io.jobqueue.store;

import java.util.List;

/**
 * The limits that a worker knows.
 *
 * @param name the worker's name, for people
 * @param queues the queues that it serves
 * @param limits the limits of its queues that hold over all workers, as text
 */
public record WorkerLimits(String name, List<String> queues, String limits) {
}
