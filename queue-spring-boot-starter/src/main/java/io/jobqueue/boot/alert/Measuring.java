package io.jobqueue.boot.alert;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobAlert.Metric;
import io.jobqueue.Priority;
import io.jobqueue.boot.reading.QueueClass;
import io.jobqueue.boot.reading.Seconds;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.MonitoringStore.TypeFailures;
import io.jobqueue.store.Tier;
import io.jobqueue.worker.execution.RunningJob;

/**
 * Keeps the highest value of each subject.
 */
final class Measuring {

	private final Thresholds thresholds;

	private final Map<Subject, Double> values = new HashMap<>();

	private final Map<QueueClass, Integer> unread = new HashMap<>();

	Measuring(Thresholds thresholds) {
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
		this.values.merge(new Subject(queue, priority.priorityClass(), metric, type), value, Math::max);
	}

	Levels levels(Set<String> known, boolean complete) {
		return new Levels(this.values, this.unread, this.thresholds, known, complete);
	}

	static Tier tier(TierSnapshot reading) {
		return new Tier(reading.queue(), reading.priority());
	}

}
