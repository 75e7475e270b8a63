package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * The longest run times of the jobs that run in this JVM. A snapshot of them is used for
 * 100 ms, so that gauges that are read together share it.
 */
final class LongestRuns {

	private static final long MAX_AGE = Duration.ofMillis(100).toNanos();

	private final Supplier<Stream<RunningJob>> jobs;

	private final TagValues tags;

	private final LongSupplier nanoTime;

	private volatile Snapshot last;

	/**
	 * Create it without a snapshot.
	 * @param jobs returns the running jobs
	 * @param tags the names that have meters of their own
	 * @param nanoTime measures the age of the snapshot
	 */
	LongestRuns(Supplier<Stream<RunningJob>> jobs, TagValues tags, LongSupplier nanoTime) {
		this.jobs = jobs;
		this.tags = tags;
		this.nanoTime = nanoTime;
		this.last = new Snapshot(nanoTime.getAsLong() - MAX_AGE, Map.of());
	}

	double seconds(QueueClass key) {
		return snapshot().seconds().getOrDefault(key, 0.0);
	}

	private Snapshot snapshot() {
		Snapshot current = this.last;
		long now = this.nanoTime.getAsLong();
		if (now - current.at() >= MAX_AGE) {
			current = new Snapshot(now, longest());
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

	private record Snapshot(long at, Map<QueueClass, Double> seconds) {
	}

}
