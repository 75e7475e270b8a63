package io.jobqueue.internal.boot.metrics;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Gauge;

import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;

/**
 * The gauges of a priority class whose values are read for each of its priorities.
 */
enum TierGauge {

	MAX_ATTEMPTS("jobqueue.jobs.max.attempts", "Highest number of failed attempts of an unfinished job"),

	MAX_RELEASES("jobqueue.jobs.max.releases",
			"Highest number of releases in a row of an unfinished job by stops, after its handler had begun"),

	MAX_AGE("jobqueue.jobs.max.age", "Time for which the oldest due job has been waiting"),

	CAPPED("jobqueue.jobs.capped", "1 if there may be more unfinished jobs than are counted, else 0"),

	SCHEDULED, READY, RUNNING, RETRYING, BLOCKED;

	private final String meter;

	private final String description;

	private final boolean state;

	TierGauge(String meter, String description) {
		this(meter, description, false);
	}

	TierGauge() {
		this("jobqueue.jobs", "Number of unfinished jobs", true);
	}

	TierGauge(String meter, String description, boolean state) {
		this.meter = meter;
		this.description = description;
		this.state = state;
	}

	double of(TierSnapshot tier) {
		TierCounts counts = tier.counts();
		return switch (this) {
			case MAX_ATTEMPTS -> tier.maxFailures();
			case MAX_RELEASES -> tier.maxReleases();
			case MAX_AGE -> (tier.maxAge() != null) ? Seconds.of(tier.maxAge()) : 0;
			case CAPPED -> (counts == null) ? Double.NaN : (counts.areCapped() || counts.running().capped()) ? 1 : 0;
			case SCHEDULED -> (counts != null) ? counts.scheduled().jobs() : Double.NaN;
			case READY -> (counts != null) ? counts.ready().jobs() : Double.NaN;
			case RUNNING -> (counts != null) ? counts.running().jobs() : Double.NaN;
			case RETRYING -> (counts != null) ? counts.retrying().jobs() : Double.NaN;
			case BLOCKED -> (counts != null) ? counts.blocked().jobs() : Double.NaN;
		};
	}

	/**
	 * Return the value of two priorities: the number of their jobs, or the highest value.
	 */
	double combine(double one, double other) {
		return this.state ? one + other : Math.max(one, other);
	}

	<T> Gauge.Builder<T> builder(T source, ToDoubleFunction<T> current) {
		Gauge.Builder<T> gauge = Gauge.builder(this.meter, source, current)
			.description(this.description)
			.baseUnit((this == MAX_AGE) ? "seconds" : null);
		return this.state ? gauge.tag("state", name().toLowerCase(Locale.ROOT)) : gauge;
	}

}
