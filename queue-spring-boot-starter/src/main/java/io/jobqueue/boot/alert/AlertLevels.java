package io.jobqueue.boot.alert;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.boot.metrics.QueueClass;
import io.jobqueue.boot.metrics.Seconds;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.MonitoringStore.TypeFailures;
import io.jobqueue.store.Tier;
import io.jobqueue.worker.execution.RunningJob;

/**
 * What one look has measured.
 *
 * @param values the highest value of each subject that has jobs
 * @param unread at most how many failed attempts the jobs have that were not looked at
 * @param thresholds what is too much
 * @param known the queues that are read completely
 * @param complete whether all queues are
 */
record AlertLevels(Map<AlertSubject, Double> values, Map<QueueClass, Integer> unread, Thresholds thresholds,
		Set<String> known, boolean complete) {

	private static final double CROSSED = 100;

	static AlertLevels unknown(Thresholds thresholds) {
		return new AlertLevels(Map.of(), Map.of(), thresholds, Set.of(), false);
	}

	List<AlertSubject> crossed() {
		return this.values.keySet().stream().filter(this::isCrossed).toList();
	}

	boolean isCrossed(AlertSubject subject) {
		return percent(subject) >= CROSSED;
	}

	/**
	 * What was not met is zero, if all was looked at that could have crossed the
	 * threshold.
	 */
	boolean isKnown(AlertSubject subject) {
		return isCrossed(subject) || (wasLookedAt(subject) && !mayBeCrossedUnseen(subject));
	}

	private boolean wasLookedAt(AlertSubject subject) {
		return this.complete || subject.metric() == Metric.RUN_TIME || this.values.containsKey(subject)
				|| this.known.contains(subject.queue());
	}

	private boolean mayBeCrossedUnseen(AlertSubject subject) {
		return subject.metric() == Metric.ATTEMPTS
				&& this.unread.getOrDefault(subject.queueClass(), 0) >= threshold(subject);
	}

	double value(AlertSubject subject) {
		return this.values.getOrDefault(subject, 0.0);
	}

	double threshold(AlertSubject subject) {
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

	private double percent(AlertSubject subject) {
		double threshold = threshold(subject);
		return (threshold > 0) ? value(subject) * CROSSED / threshold : 0;
	}

	/**
	 * Keeps the highest value of each subject.
	 */
	static final class Builder {

		private final Thresholds thresholds;

		private final Map<AlertSubject, Double> values = new HashMap<>();

		private final Map<QueueClass, Integer> unread = new HashMap<>();

		Builder(Thresholds thresholds) {
			this.thresholds = thresholds;
		}

		void age(TierSnapshot tier) {
			if (tier.maxAge() != null) {
				note(tier(tier), Metric.AGE, null, Seconds.of(tier.maxAge()));
			}
		}

		void attempts(TierSnapshot tier) {
			note(tier(tier), Metric.ATTEMPTS, null, tier.maxFailures());
		}

		void attempts(TypeFailures failures) {
			String own = this.thresholds.own(failures.type(), Metric.ATTEMPTS);
			note(failures.tier(), Metric.ATTEMPTS, own, failures.maxFailures());
			unread(failures.tier(), failures.unread());
		}

		/**
		 * Take note that not all jobs of a tier were looked at.
		 */
		void unread(Tier tier, int maxFailures) {
			this.unread.merge(QueueClass.of(tier), maxFailures, Math::max);
		}

		void runTime(RunningJob job) {
			String own = this.thresholds.own(job.type(), Metric.RUN_TIME);
			note(job.queue(), job.priority(), Metric.RUN_TIME, own, Seconds.of(job.runTime()));
		}

		private void note(Tier tier, Metric metric, @Nullable String type, double value) {
			note(tier.queue(), Priority.of(tier.priority()), metric, type, value);
		}

		private void note(String queue, Priority priority, Metric metric, @Nullable String type, double value) {
			this.values.merge(new AlertSubject(queue, priority.priorityClass(), metric, type), value, Math::max);
		}

		AlertLevels levels(Set<String> known, boolean complete) {
			return new AlertLevels(this.values, this.unread, this.thresholds, known, complete);
		}

		static Tier tier(TierSnapshot reading) {
			return new Tier(reading.queue(), reading.priority());
		}

	}

}
