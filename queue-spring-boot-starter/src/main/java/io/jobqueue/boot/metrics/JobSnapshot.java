package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;

/**
 * All that the gauges show, as of one moment.
 *
 * @param classes the queues and priority classes that hold jobs
 * @param absent what holds for all the others
 * @param pauses the queues that are paused
 */
record JobSnapshot(Map<QueueClass, ClassSnapshot> classes, ClassSnapshot absent, PauseSnapshot pauses) {

	static final JobSnapshot UNKNOWN = new JobSnapshot(Map.of(), ClassSnapshot.UNKNOWN, PauseSnapshot.UNKNOWN);

	static JobSnapshot of(GaugeSnapshot reading, Collection<QueuePause> pauses, Set<String> declared) {
		Map<QueueClass, ClassSnapshot> classes = reading.tiers()
			.stream()
			.collect(Collectors.toMap((tier) -> of(tier, declared), ClassSnapshot::of, ClassSnapshot::and));
		for (PriorityClass priority : PriorityClass.values()) {
			if (!reading.complete()) {
				classes.put(new QueueClass(DeclaredNames.OTHER, priority), ClassSnapshot.UNKNOWN);
			}
			declared.stream()
				.filter((queue) -> !reading.isAllOf(queue))
				.forEach((queue) -> classes.putIfAbsent(new QueueClass(queue, priority), ClassSnapshot.UNKNOWN));
		}
		return new JobSnapshot(classes, ClassSnapshot.NONE, PauseSnapshot.of(pauses, reading, declared));
	}

	private static QueueClass of(TierSnapshot tier, Set<String> declared) {
		return new QueueClass(declared.contains(tier.queue()) ? tier.queue() : DeclaredNames.OTHER,
				Priority.of(tier.priority()).priorityClass());
	}

	ClassSnapshot of(String queue, PriorityClass priority) {
		return this.classes.getOrDefault(new QueueClass(queue, priority), this.absent);
	}

}
