package io.jobqueue.boot.metrics;

import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import io.jobqueue.JobState;
import io.jobqueue.PriorityClass;

/**
 * The gauges of one queue and priority class.
 */
final class ClassGauges {

	private final String queue;

	private final PriorityClass priority;

	private final Supplier<JobSnapshot> snapshot;

	private final LongestRuns longestRuns;

	private final DoubleSupplier alertPercent;

	ClassGauges(String queue, PriorityClass priority, Supplier<JobSnapshot> snapshot, LongestRuns longestRuns,
			DoubleSupplier alertPercent) {
		this.queue = queue;
		this.priority = priority;
		this.snapshot = snapshot;
		this.longestRuns = longestRuns;
		this.alertPercent = alertPercent;
	}

	void bindTo(MeterRegistry registry) {
		gauge("jobqueue.jobs.max.attempts", ClassSnapshot::maxAttempts)
			.description("Highest number of failed attempts of an unfinished job")
			.register(registry);
		gauge("jobqueue.jobs.max.releases", ClassSnapshot::maxReleases)
			.description(
					"Highest number of releases in a row of an unfinished job by stops, after its handler had begun")
			.register(registry);
		gauge("jobqueue.jobs.max.age", ClassSnapshot::maxAge)
			.description("Time for which the oldest due job has been waiting")
			.baseUnit("seconds")
			.register(registry);
		gauge(Gauge.builder("jobqueue.jobs.max.run.time", this, ClassGauges::maxRunTime))
			.description("Run time so far of the longest-running handler on this node")
			.baseUnit("seconds")
			.register(registry);
		gauge(Gauge.builder("jobqueue.jobs.alert.percent", this.alertPercent::getAsDouble))
			.description("Highest value of the queue as a percentage of its alert threshold")
			.register(registry);
		gauge("jobqueue.jobs.capped", ClassSnapshot::capped)
			.description("1 if there may be more unfinished jobs than are counted, else 0")
			.register(registry);
		gauge(Gauge.builder("jobqueue.jobs.dead.archived", this, ClassGauges::dead))
			.description("Number of dead jobs in the archive")
			.register(registry);
		ClassSnapshot.STATES.forEach((state) -> bindTo(registry, state));
	}

	private void bindTo(MeterRegistry registry, JobState state) {
		String tag = state.name().toLowerCase(Locale.ROOT);
		gauge("jobqueue.jobs", (snapshot) -> snapshot.count(state).jobs()).tag("state", tag)
			.description("Number of unfinished jobs")
			.register(registry);
	}

	private Gauge.Builder<?> gauge(String name, ToDoubleFunction<ClassSnapshot> value) {
		return gauge(Gauge.builder(name, this, (gauges) -> value.applyAsDouble(gauges.snapshot())));
	}

	private Gauge.Builder<?> gauge(Gauge.Builder<?> gauge) {
		return gauge.strongReference(true).tags(Tags.of("queue", this.queue, "priority", this.priority.tagValue()));
	}

	private double maxRunTime() {
		return this.longestRuns.seconds(this.queue, this.priority);
	}

	private double dead() {
		return this.snapshot.get().unresolved().dead(this.queue, this.priority);
	}

	private ClassSnapshot snapshot() {
		return this.snapshot.get().of(this.queue, this.priority);
	}

}
