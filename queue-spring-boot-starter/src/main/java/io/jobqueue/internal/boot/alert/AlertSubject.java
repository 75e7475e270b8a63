package io.jobqueue.internal.boot.alert;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;

/**
 * What a threshold applies to.
 *
 * @param queue the queue
 * @param priority the priority class
 * @param metric what is measured
 * @param type the type that has a threshold of its own, {@code null} for all others
 */
record AlertSubject(String queue, PriorityClass priority, Metric metric, @Nullable String type) {

	AlertSubject ofAllTypes() {
		return new AlertSubject(this.queue, this.priority, this.metric, null);
	}

}
