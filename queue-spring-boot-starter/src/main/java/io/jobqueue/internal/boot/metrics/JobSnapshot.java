package io.jobqueue.internal.boot.metrics;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PriorityClass;
import io.jobqueue.QueuePause;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.MonitoringStore.Unresolved;

/**
 * The values of all gauges, as of one moment.
 *
 * @param tiers the values of the unfinished jobs
 * @param paused 1 for queues that are paused as a whole
 * @param dead the numbers of dead jobs
 * @param waiting the numbers of jobs that wait for a failed predecessor
 * @param oldestBatch the age of the oldest open batch, in seconds
 */
record JobSnapshot(Map<TierGauge, Values<QueueClass>> tiers, Values<String> paused, Values<QueueClass> dead,
		Values<String> waiting, double oldestBatch) {

	static final JobSnapshot UNKNOWN = new JobSnapshot(Map.of(), Values.unknown(), Values.unknown(), Values.unknown(),
			Double.NaN);

	static JobSnapshot of(GaugeSnapshot jobs, Collection<QueuePause> pauses, @Nullable Unresolved unresolved,
			Set<String> declared) {
		Map<TierGauge, Values<QueueClass>> tiers = new EnumMap<>(TierGauge.class);
		for (TierGauge gauge : TierGauge.values()) {
			tiers.put(gauge, tiers(gauge, jobs, declared));
		}
		Values<String> paused = paused(pauses, jobs, declared);
		return (unresolved == null)
				? new JobSnapshot(tiers, paused, UNKNOWN.dead(), UNKNOWN.waiting(), UNKNOWN.oldestBatch())
				: new JobSnapshot(tiers, paused, dead(unresolved, declared), waiting(unresolved, declared),
						Seconds.of(unresolved.oldestBatch()));
	}

	/**
	 * Queues that were not read completely are unknown, unless a part of their jobs was
	 * read.
	 */
	private static Values<QueueClass> tiers(TierGauge gauge, GaugeSnapshot jobs, Set<String> declared) {
		Map<QueueClass, Double> values = new HashMap<>();
		jobs.tiers()
			.forEach((tier) -> values.merge(QueueClass.of(tier.queue(), tier.priority(), declared), gauge.of(tier),
					gauge::combine));
		for (PriorityClass priority : PriorityClass.values()) {
			if (!jobs.complete()) {
				values.put(new QueueClass(DeclaredNames.OTHER, priority), Double.NaN);
			}
			declared.stream()
				.filter((queue) -> !jobs.isAllOf(queue))
				.forEach((queue) -> values.putIfAbsent(new QueueClass(queue, priority), Double.NaN));
		}
		return new Values<>(values, 0);
	}

	static Values<String> paused(Collection<QueuePause> pauses, GaugeSnapshot jobs, Set<String> declared) {
		Map<String, Double> paused = new HashMap<>();
		pauses.stream().filter((pause) -> pause.type() == null).forEach((pause) -> paused.put(pause.queue(), 1.0));
		paused.put(DeclaredNames.OTHER, othersPaused(jobs, declared, paused.keySet()));
		return new Values<>(paused, 0);
	}

	/**
	 * Queues that are not declared count as paused if all of them that hold due jobs are
	 * paused: otherwise, they need attention.
	 */
	private static double othersPaused(GaugeSnapshot jobs, Set<String> declared, Set<String> paused) {
		if (!jobs.complete()) {
			return Double.NaN;
		}
		Set<String> due = jobs.tiers()
			.stream()
			.filter((tier) -> tier.maxAge() != null)
			.map(TierSnapshot::queue)
			.filter((queue) -> !declared.contains(queue))
			.collect(Collectors.toSet());
		return (!due.isEmpty() && paused.containsAll(due)) ? 1 : 0;
	}

	private static Values<QueueClass> dead(Unresolved counts, Set<String> declared) {
		Map<QueueClass, Double> dead = new HashMap<>();
		counts.dead()
			.forEach((jobs) -> dead.merge(QueueClass.of(jobs.tier().queue(), jobs.tier().priority(), declared),
					(double) jobs.jobs(), Double::sum));
		return new Values<>(dead, counts.allDead() ? 0 : Double.NaN);
	}

	private static Values<String> waiting(Unresolved counts, Set<String> declared) {
		Map<String, Double> waiting = new HashMap<>();
		counts.waiting()
			.forEach((queue, jobs) -> waiting.merge(declared.contains(queue) ? queue : DeclaredNames.OTHER,
					(double) jobs, Double::sum));
		return new Values<>(waiting, counts.allWaiting() ? 0 : Double.NaN);
	}

	double tier(TierGauge gauge, QueueClass key) {
		return this.tiers.getOrDefault(gauge, Values.unknown()).of(key);
	}

	/**
	 * Values of queues or their priority classes.
	 *
	 * @param <K> the type of the keys
	 * @param known the values that were read
	 * @param others the value of all others
	 */
	record Values<K>(Map<K, Double> known, double others) {

		static <K> Values<K> unknown() {
			return new Values<>(Map.of(), Double.NaN);
		}

		double of(K key) {
			return this.known.getOrDefault(key, this.others);
		}

	}

}
