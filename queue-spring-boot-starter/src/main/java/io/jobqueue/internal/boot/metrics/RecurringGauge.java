package io.jobqueue.internal.boot.metrics;

import java.time.Duration;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Gauge of the schedule that this node should have ticked longest ago. It needs no
 * database, so that it shows an outage.
 */
public final class RecurringGauge implements MeterBinder {

	private final Supplier<Duration> lateness;

	/**
	 * Create a gauge.
	 * @param lateness returns the time since the earliest tick was due, zero if none is
	 */
	public RecurringGauge(Supplier<Duration> lateness) {
		this.lateness = lateness;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("jobqueue.recurring.max.lateness", this.lateness, (late) -> Seconds.of(late.get()))
			.description("Time since the earliest tick of this node's schedules was due, 0 if none is due")
			.baseUnit("seconds")
			.strongReference(true)
			.register(registry);
	}

}
