package io.jobqueue.boot.alert;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;

/**
 * What one look has measured.
 *
 * @param values the highest value of each subject that has jobs
 * @param thresholds what is too much
 * @param known the queues of which the database has told everything
 * @param complete whether it has done so of all queues
 */
record Levels(Map<Subject, Double> values, Thresholds thresholds, Set<String> known, boolean complete) {

	static Levels unknown(Thresholds thresholds) {
		return new Levels(Map.of(), thresholds, Set.of(), false);
	}

	List<Subject> crossed() {
		return this.values.keySet().stream().filter(this::isCrossed).toList();
	}

	boolean isCrossed(Subject subject) {
		return percent(subject) >= 100;
	}

	/**
	 * What was not met is zero, if all was looked at.
	 */
	boolean isKnown(Subject subject) {
		return this.complete || subject.metric() == Metric.RUN_TIME || this.values.containsKey(subject)
				|| this.known.contains(subject.queue());
	}

	double value(Subject subject) {
		return this.values.getOrDefault(subject, 0.0);
	}

	double threshold(Subject subject) {
		return this.thresholds.of(subject);
	}

	/**
	 * Return how far the queues are toward the threshold that is nearest, NaN if that is
	 * not known.
	 */
	double percent(Predicate<String> queues, PriorityClass priority) {
		if (!this.complete && this.known.stream().noneMatch(queues)) {
			return Double.NaN;
		}
		return this.values.keySet()
			.stream()
			.filter((subject) -> subject.priority() == priority && queues.test(subject.queue()))
			.mapToDouble(this::percent)
			.max()
			.orElse(0);
	}

	private double percent(Subject subject) {
		double threshold = threshold(subject);
		return (threshold > 0) ? value(subject) * 100 / threshold : 0;
	}

}
