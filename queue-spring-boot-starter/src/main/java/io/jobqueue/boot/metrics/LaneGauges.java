package io.jobqueue.boot.metrics;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import io.jobqueue.JobState;
import io.jobqueue.PriorityClass;

/**
 * The gauges of one queue and priority class.
 */
final class LaneGauges {

	private final String queue;

	private final PriorityClass priority;

	private final CachedReading reading;

	LaneGauges(String queue, PriorityClass priority, CachedReading reading) {
		this.queue = queue;
		this.priority = priority;
		this.reading = reading;
	}

	void bindTo(MeterRegistry registry) {
		gauge("jobqueue.jobs.max.attempts", LaneTotals::maxAttempts)
			.description("Highest number of failed attempts of an unfinished job")
			.register(registry);
		gauge("jobqueue.jobs.max.age", LaneTotals::maxAge).description("Time that the oldest due job has been waiting")
			.baseUnit("seconds")
			.register(registry);
		count(JobState.SCHEDULED, LaneTotals::scheduled).register(registry);
		count(JobState.READY, LaneTotals::ready).register(registry);
		count(JobState.RUNNING, LaneTotals::running).register(registry);
		count(JobState.RETRYING, LaneTotals::retrying).register(registry);
	}

	private Gauge.Builder<?> count(JobState state, ToDoubleFunction<LaneTotals> value) {
		return gauge("jobqueue.jobs", value).tag("state", state.name().toLowerCase(Locale.ROOT))
			.description("Number of unfinished jobs");
	}

	private Gauge.Builder<?> gauge(String name, ToDoubleFunction<LaneTotals> value) {
		return Gauge.builder(name, this, (lane) -> value.applyAsDouble(lane.totals()))
			.strongReference(true)
			.tags(Tags.of("queue", this.queue, "priority", this.priority.tagValue()));
	}

	private LaneTotals totals() {
		return this.reading.get().of(this.queue, this.priority);
	}

}
