package io.jobqueue.boot.metrics;

import io.jobqueue.PriorityClass;

/**
 * A queue and a priority class.
 *
 * @param queue the queue, or {@link DeclaredNames#OTHER}
 * @param priority the priority class
 */
record QueueClass(String queue, PriorityClass priority) {
}
