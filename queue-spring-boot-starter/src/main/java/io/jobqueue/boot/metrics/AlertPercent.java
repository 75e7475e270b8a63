package io.jobqueue.boot.metrics;

import java.util.function.Predicate;

import io.jobqueue.PriorityClass;

/**
 * Knows how far queues are toward an alert.
 */
@FunctionalInterface
public interface AlertPercent {

	/**
	 * Return how far queues are toward the threshold that is nearest.
	 * @param queues which queues are meant
	 * @param priority the priority class
	 * @return 100 or more if it is crossed, NaN if that is not known
	 */
	double of(Predicate<String> queues, PriorityClass priority);

}
