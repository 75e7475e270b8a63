package io.jobqueue.boot.metrics;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.store.Tier;

/**
 * The jobs of a queue and priority class, of any type.
 *
 * @param queue the queue, or what stands for all others
 * @param priority the priority class
 */
public record QueueClass(String queue, PriorityClass priority) {

	/**
	 * Return what a tier is part of.
	 * @param tier the tier
	 * @return its queue and class
	 */
	public static QueueClass of(Tier tier) {
		return new QueueClass(tier.queue(), Priority.of(tier.priority()).priorityClass());
	}

}
