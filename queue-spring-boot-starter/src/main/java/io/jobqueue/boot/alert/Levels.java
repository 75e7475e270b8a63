package io.jobqueue.boot.alert;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.PriorityClass;
import io.jobqueue.boot.reading.QueueClass;

/**
 * What one look has measured.
 *
 * @param values the highest value of each subject that has jobs
 * @param unread at most how many failed attempts the jobs have that were not looked at
 * @param thresholds what is too much
 * @param known the queues that are read completely
 * @param complete whether all queues are
 */
record Levels(Map<Subject, Double> values, Map<QueueClass, Integer> unread, Thresholds thresholds, Set<String> known,
		boolean complete) {

	private static final double CROSSED = 100;

	static Levels unknown(Thresholds thresholds) {
		return new Levels(Map.of(), Map.of(), thresholds, Set.of(), false);
	}

	List<Subject> crossed() {
		return this.values.keySet().stream().filter(this::isCrossed).toList();
	}

	boolean isCrossed(Subject subject) {
		return percent(subject) >= CROSSED;
	}

	/**
	 * What was not met is zero, if all was looked at that could have crossed the
	 * threshold.
	 */
	boolean isKnown(Subject subject) {
		return isCrossed(subject) || (wasLookedAt(subject) && !mayBeCrossedUnseen(subject));
	}

	private boolean wasLookedAt(Subject subject) {
		return this.complete || subject.metric() == Metric.RUN_TIME || this.values.containsKey(subject)
				|| this.known.contains(subject.queue());
	}

	private boolean mayBeCrossedUnseen(Subject subject) {
		return subject.metric() == Metric.ATTEMPTS
				&& this.unread.getOrDefault(subject.queueClass(), 0) >= threshold(subject);
	}

	double value(Subject subject) {
		return this.values.getOrDefault(subject, 0.0);
	}

	double threshold(Subject subject) {
		return this.thresholds.of(subject);
	}

	/**
	 * Return how far the queues are toward the threshold that is nearest, NaN if that is
	 * not known: what is crossed is, whatever else may be.
	 */
	double percent(Predicate<String> queues, PriorityClass priority) {
		double highest = this.values.keySet()
			.stream()
			.filter((subject) -> subject.priority() == priority && queues.test(subject.queue()))
			.mapToDouble(this::percent)
			.max()
			.orElse(0);
		boolean known = this.complete || this.known.stream().anyMatch(queues);
		return (known || highest >= CROSSED) ? highest : Double.NaN;
	}

	private double percent(Subject subject) {
		double threshold = threshold(subject);
		return (threshold > 0) ? value(subject) * CROSSED / threshold : 0;
	}

}
