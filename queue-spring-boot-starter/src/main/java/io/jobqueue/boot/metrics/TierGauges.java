package io.jobqueue.boot.metrics;

import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import io.jobqueue.JobState;
import io.jobqueue.PriorityClass;

/**
 * The gauges of one queue and priority class.
 */
final class TierGauges {

	private final String queue;

	private final PriorityClass priority;

	private final CachedReading reading;

	private final DoubleSupplier alertPercent;

	TierGauges(String queue, PriorityClass priority, CachedReading reading, DoubleSupplier alertPercent) {
		this.queue = queue;
		this.priority = priority;
		this.reading = reading;
		this.alertPercent = alertPercent;
	}

	void bindTo(MeterRegistry registry) {
		gauge("jobqueue.jobs.max.attempts", TierTotals::maxAttempts)
			.description("Highest number of failed attempts of an unfinished job")
			.register(registry);
		gauge("jobqueue.jobs.max.age", TierTotals::maxAge).description("Time that the oldest due job has been waiting")
			.baseUnit("seconds")
			.register(registry);
		gauge("jobqueue.jobs.alert.percent", this.alertPercent)
			.description("How far the queue is toward the nearest threshold of an alert, which is 100")
			.register(registry);
		TierTotals.STATES.forEach((state) -> bindTo(registry, state));
	}

	private void bindTo(MeterRegistry registry, JobState state) {
		String tag = state.name().toLowerCase(Locale.ROOT);
		gauge("jobqueue.jobs", (tier) -> tier.count(state).jobs()).tag("state", tag)
			.description("Number of unfinished jobs")
			.register(registry);
		gauge("jobqueue.jobs.estimated", (tier) -> tier.count(state).estimated()).tag("state", tag)
			.description("Whether the number of unfinished jobs is an estimate")
			.register(registry);
	}

	private Gauge.Builder<?> gauge(String name, ToDoubleFunction<TierTotals> value) {
		return gauge(name, () -> value.applyAsDouble(totals()));
	}

	private Gauge.Builder<?> gauge(String name, DoubleSupplier value) {
		return Gauge.builder(name, value::getAsDouble)
			.strongReference(true)
			.tags(Tags.of("queue", this.queue, "priority", this.priority.tagValue()));
	}

	private TierTotals totals() {
		return this.reading.get().of(this.queue, this.priority);
	}

}
