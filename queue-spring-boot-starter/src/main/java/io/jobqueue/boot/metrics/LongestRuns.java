package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.PriorityClass;
import io.jobqueue.worker.execution.RunningJob;

/**
 * How long the jobs have been running that run in this JVM. One look at them is good for
 * a moment, and thus for all gauges that are read together.
 */
final class LongestRuns {

	private static final long MOMENT = Duration.ofMillis(100).toNanos();

	private final Supplier<Stream<RunningJob>> jobs;

	private final TagValues tags;

	private final LongSupplier nanoTime;

	private volatile Look last;

	/**
	 * Create it, without a measurement yet.
	 * @param jobs returns the running jobs
	 * @param tags the names that have meters of their own
	 * @param nanoTime measures the age of a measurement
	 */
	LongestRuns(Supplier<Stream<RunningJob>> jobs, TagValues tags, LongSupplier nanoTime) {
		this.jobs = jobs;
		this.tags = tags;
		this.nanoTime = nanoTime;
		this.last = new Look(nanoTime.getAsLong() - MOMENT, Map.of());
	}

	double seconds(String queue, PriorityClass priority) {
		return look().seconds().getOrDefault(new QueueClass(queue, priority), 0.0);
	}

	private Look look() {
		Look current = this.last;
		long now = this.nanoTime.getAsLong();
		if (now - current.at() >= MOMENT) {
			current = new Look(now, longest());
			this.last = current;
		}
		return current;
	}

	private Map<QueueClass, Double> longest() {
		return this.jobs.get()
			.collect(Collectors.toMap(
					(job) -> new QueueClass(this.tags.queue(job.queue()), job.priority().priorityClass()),
					(job) -> Seconds.of(job.runTime()), Math::max));
	}

	private record Look(long at, Map<QueueClass, Double> seconds) {
	}

}
