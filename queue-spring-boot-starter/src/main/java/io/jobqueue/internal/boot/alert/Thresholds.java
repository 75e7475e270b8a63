package io.jobqueue.internal.boot.alert;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;

/**
 * The values at which alerts are raised: seconds or failed attempts, 0 for no alert.
 *
 * @param classes the thresholds of each priority class
 * @param types the thresholds of single types, which replace those of the class
 */
public record Thresholds(Map<PriorityClass, Map<Metric, Double>> classes, Map<String, Map<Metric, Double>> types) {

	private static final double NONE = 0;

	private static final double MILLIS_PER_SECOND = 1000;

	/**
	 * Return the value of a duration.
	 * @param duration the duration
	 * @return its seconds, to the millisecond
	 */
	public static double seconds(Duration duration) {
		return duration.toMillis() / MILLIS_PER_SECOND;
	}

	double of(AlertSubject subject) {
		Map<Metric, Double> thresholds = (subject.type() != null) ? ofType(subject.type())
				: this.classes.getOrDefault(subject.priority(), Map.of());
		return thresholds.getOrDefault(subject.metric(), NONE);
	}

	/**
	 * Return the type if it has a threshold of its own.
	 */
	@Nullable String own(String type, Metric metric) {
		return ofType(type).containsKey(metric) ? type : null;
	}

	boolean anyTypeHas(Metric metric) {
		return this.types.values().stream().anyMatch((thresholds) -> thresholds.containsKey(metric));
	}

	private Map<Metric, Double> ofType(String type) {
		return this.types.getOrDefault(type, Map.of());
	}

}
