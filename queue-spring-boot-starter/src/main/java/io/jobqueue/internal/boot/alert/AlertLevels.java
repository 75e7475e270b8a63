package io.jobqueue.internal.boot.alert;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TypeFailures;
import io.jobqueue.internal.store.Tier;
import io.jobqueue.internal.worker.execution.RunningJob;

/**
 * The values of one measurement, with their thresholds.
 *
 * @param values the highest value of each subject that has jobs
 * @param unread upper bound of the failed attempts of jobs that were not read
 * @param thresholds the thresholds
 * @param known the queues that were read completely
 * @param complete whether all queues were
 */
record AlertLevels(Map<AlertSubject, Double> values, Map<AlertSubject, Integer> unread, Thresholds thresholds,
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
	 * A subject without a value is zero if all jobs were read that could have crossed its
	 * threshold.
	 */
	boolean isKnown(AlertSubject subject) {
		return isCrossed(subject) || (wasRead(subject) && !mayBeCrossedUnread(subject));
	}

	private boolean wasRead(AlertSubject subject) {
		return this.complete || subject.metric() == Metric.RUN_TIME || this.values.containsKey(subject)
				|| this.known.contains(subject.queue());
	}

	private boolean mayBeCrossedUnread(AlertSubject subject) {
		return subject.metric() == Metric.ATTEMPTS
				&& this.unread.getOrDefault(subject.ofAllTypes(), 0) >= threshold(subject);
	}

	double value(AlertSubject subject) {
		return this.values.getOrDefault(subject, 0.0);
	}

	double threshold(AlertSubject subject) {
		return this.thresholds.of(subject);
	}

	/**
	 * Return the highest percentage of a threshold, NaN if it is not known. A crossed
	 * threshold is known even if other values are not.
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
	 * Collects the highest value of each subject.
	 */
	static final class Builder {

		private final Thresholds thresholds;

		private final Map<AlertSubject, Double> values = new HashMap<>();

		private final Map<AlertSubject, Integer> unread = new HashMap<>();

		Builder(Thresholds thresholds) {
			this.thresholds = thresholds;
		}

		void age(TierSnapshot tier) {
			if (tier.maxAge() != null) {
				add(tier(tier), Metric.AGE, null, Thresholds.seconds(tier.maxAge()));
			}
		}

		void attempts(TierSnapshot tier) {
			add(tier(tier), Metric.ATTEMPTS, null, tier.maxFailures());
		}

		void attempts(TypeFailures failures) {
			String own = this.thresholds.own(failures.type(), Metric.ATTEMPTS);
			add(failures.tier(), Metric.ATTEMPTS, own, failures.maxFailures());
			unread(failures.tier(), failures.unread());
		}

		/**
		 * Set the upper bound for jobs of a tier that were not read.
		 */
		void unread(Tier tier, int maxFailures) {
			AlertSubject attempts = new AlertSubject(tier.queue(), Priority.of(tier.priority()).priorityClass(),
					Metric.ATTEMPTS, null);
			this.unread.merge(attempts, maxFailures, Math::max);
		}

		void runTime(RunningJob job) {
			String own = this.thresholds.own(job.type(), Metric.RUN_TIME);
			add(job.queue(), job.priority(), Metric.RUN_TIME, own, Thresholds.seconds(job.runTime()));
		}

		private void add(Tier tier, Metric metric, @Nullable String type, double value) {
			add(tier.queue(), Priority.of(tier.priority()), metric, type, value);
		}

		private void add(String queue, Priority priority, Metric metric, @Nullable String type, double value) {
			this.values.merge(new AlertSubject(queue, priority.priorityClass(), metric, type), value, Math::max);
		}

		AlertLevels build(Set<String> known, boolean complete) {
			return new AlertLevels(this.values, this.unread, this.thresholds, known, complete);
		}

		static Tier tier(TierSnapshot snapshot) {
			return new Tier(snapshot.queue(), snapshot.priority());
		}

	}

}
