package io.jobqueue.internal.boot.metrics;

import java.util.Set;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;

/**
 * A queue and a priority class.
 *
 * @param queue the queue, or {@link DeclaredNames#OTHER}
 * @param priority the priority class
 */
record QueueClass(String queue, PriorityClass priority) {

	static QueueClass of(String queue, int priority, Set<String> declared) {
		return new QueueClass(declared.contains(queue) ? queue : DeclaredNames.OTHER,
				Priority.of(priority).priorityClass());
	}

}
