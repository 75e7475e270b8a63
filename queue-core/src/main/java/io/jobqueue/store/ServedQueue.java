package io.jobqueue.store;

import java.util.Set;

/**
 * What a worker serves of one queue.
 *
 * @param queue the queue
 * @param types the types that it has a handler for
 * @param minPriority lowest value of the priorities that it takes
 * @param maxPriority highest value of the priorities that it takes
 */
public record ServedQueue(String queue, Set<String> types, int minPriority, int maxPriority) {
}
