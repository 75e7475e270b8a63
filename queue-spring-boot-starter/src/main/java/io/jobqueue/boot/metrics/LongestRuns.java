package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.function.Supplier;

import io.jobqueue.PriorityClass;
import io.jobqueue.worker.RunningJob;

/**
 * How long the jobs have been running that run in this JVM, as of now.
 *
 * @param jobs what tells of them
 * @param tags the names that have meters of their own
 */
record LongestRuns(Supplier<? extends Collection<RunningJob>> jobs, TagValues tags) {

	private static final double MILLIS_PER_SECOND = 1000.0;

	double seconds(String queue, PriorityClass priority) {
		return this.jobs.get()
			.stream()
			.filter((job) -> job.priority().priorityClass() == priority && this.tags.queue(job.queue()).equals(queue))
			.mapToDouble((job) -> job.runTime().toMillis() / MILLIS_PER_SECOND)
			.max()
			.orElse(0);
	}

}
