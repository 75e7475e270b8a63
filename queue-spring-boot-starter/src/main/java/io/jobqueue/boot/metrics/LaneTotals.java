package io.jobqueue.boot.metrics;

import java.time.Duration;

import io.jobqueue.store.LaneReading;

/**
 * What the gauges show of a queue and priority class.
 */
record LaneTotals(double maxAttempts, double maxAge, double scheduled, double ready, double running, double retrying) {

	static final LaneTotals NONE = new LaneTotals(0, 0, 0, 0, 0, 0);

	static final LaneTotals UNKNOWN = new LaneTotals(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN,
			Double.NaN);

	static LaneTotals of(LaneReading lane) {
		return new LaneTotals(lane.maxFailures(), (lane.maxAge() != null) ? seconds(lane.maxAge()) : 0,
				lane.scheduled(), lane.ready(), lane.running(), lane.retrying());
	}

	LaneTotals and(LaneTotals other) {
		return new LaneTotals(Math.max(this.maxAttempts, other.maxAttempts), Math.max(this.maxAge, other.maxAge),
				this.scheduled + other.scheduled, this.ready + other.ready, this.running + other.running,
				this.retrying + other.retrying);
	}

	private static double seconds(Duration duration) {
		return duration.toMillis() / 1000.0;
	}

}
