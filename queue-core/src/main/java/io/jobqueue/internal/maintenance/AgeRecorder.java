package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.StatisticsStore.OldestAge;

/**
 * Records how long the oldest due jobs have been waiting, also in queues in which no
 * attempt ends. Every node reads the ages, and the first one of a minute records them: so
 * none has to be elected, and none is missed. Jobs that have waited for less than a
 * second are left out, so that nothing is recorded of queues without a delay.
 */
public final class AgeRecorder {

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private final MonitoringStore monitoring;

	private final StatisticsStore statistics;

	/**
	 * Create a recorder.
	 * @param monitoring reads the ages
	 * @param statistics records them
	 */
	public AgeRecorder(MonitoringStore monitoring, StatisticsStore statistics) {
		this.monitoring = monitoring;
		this.statistics = statistics;
	}

	/**
	 * Read the ages of all queues once, and record them.
	 */
	public void runOnce() {
		Map<Subject, Duration> ages = new HashMap<>();
		for (TierSnapshot tier : this.monitoring.scan(Set.of()).tiers()) {
			Duration age = tier.maxAge();
			if (age != null && age.compareTo(SHORTEST) >= 0) {
				ages.merge(Subject.of(tier), age, AgeRecorder::longer);
			}
		}
		if (!ages.isEmpty()) {
			this.statistics.addAges(ages.entrySet().stream().map(AgeRecorder::oldest).toList());
		}
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static OldestAge oldest(Map.Entry<Subject, Duration> age) {
		return new OldestAge(age.getKey().queue(), age.getKey().priority(), age.getValue());
	}

	private record Subject(String queue, PriorityClass priority) {

		static Subject of(TierSnapshot tier) {
			return new Subject(tier.queue(), Priority.of(tier.priority()).priorityClass());
		}

	}

}
