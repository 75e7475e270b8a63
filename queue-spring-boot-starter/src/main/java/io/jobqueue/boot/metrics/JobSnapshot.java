package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Priority;
import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.MonitoringStore.Unresolved;

/**
 * The values of all gauges, as of one moment.
 *
 * @param classes the values of queues and priority classes with jobs
 * @param absent the values of all others
 * @param pauses the queues that are paused
 * @param unresolved what does not end without an operator
 */
record JobSnapshot(Map<QueueClass, ClassSnapshot> classes, ClassSnapshot absent, PauseSnapshot pauses,
		UnresolvedSnapshot unresolved) {

	static final JobSnapshot UNKNOWN = new JobSnapshot(Map.of(), ClassSnapshot.UNKNOWN, PauseSnapshot.UNKNOWN,
			UnresolvedSnapshot.UNKNOWN);

	static JobSnapshot of(GaugeSnapshot jobs, Collection<QueuePause> pauses, @Nullable Unresolved unresolved,
			Set<String> declared) {
		Map<QueueClass, ClassSnapshot> classes = jobs.tiers()
			.stream()
			.collect(Collectors.toMap((tier) -> of(tier, declared), ClassSnapshot::of, ClassSnapshot::and));
		for (PriorityClass priority : PriorityClass.values()) {
			if (!jobs.complete()) {
				classes.put(new QueueClass(DeclaredNames.OTHER, priority), ClassSnapshot.UNKNOWN);
			}
			declared.stream()
				.filter((queue) -> !jobs.isAllOf(queue))
				.forEach((queue) -> classes.putIfAbsent(new QueueClass(queue, priority), ClassSnapshot.UNKNOWN));
		}
		return new JobSnapshot(classes, ClassSnapshot.NONE, PauseSnapshot.of(pauses, jobs, declared),
				UnresolvedSnapshot.of(unresolved, declared));
	}

	private static QueueClass of(TierSnapshot tier, Set<String> declared) {
		return new QueueClass(declared.contains(tier.queue()) ? tier.queue() : DeclaredNames.OTHER,
				Priority.of(tier.priority()).priorityClass());
	}

	ClassSnapshot of(String queue, PriorityClass priority) {
		return this.classes.getOrDefault(new QueueClass(queue, priority), this.absent);
	}

}
