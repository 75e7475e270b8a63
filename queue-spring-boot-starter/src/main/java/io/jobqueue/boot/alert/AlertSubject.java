package io.jobqueue.boot.alert;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.boot.metrics.QueueClass;

/**
 * What there is one threshold for.
 *
 * @param queue the queue
 * @param priority the priority class
 * @param metric what is measured
 * @param type the type that has a threshold of its own, {@code null} for all others
 */
record AlertSubject(String queue, PriorityClass priority, Metric metric, @Nullable String type) {

	QueueClass queueClass() {
		return new QueueClass(this.queue, this.priority);
	}

}
