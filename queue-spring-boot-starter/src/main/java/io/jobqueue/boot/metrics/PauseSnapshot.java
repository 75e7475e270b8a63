package io.jobqueue.boot.metrics;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.jobqueue.QueuePause;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;

/**
 * Which queues are paused as a whole.
 *
 * @param queues 1 for paused queues, and the value of queues that are not declared
 * @param absent the value of all others
 */
record PauseSnapshot(Map<String, Double> queues, double absent) {

	static final PauseSnapshot UNKNOWN = new PauseSnapshot(Map.of(), Double.NaN);

	static PauseSnapshot of(Collection<QueuePause> pauses, GaugeSnapshot jobs, Set<String> declared) {
		Map<String, Double> queues = new HashMap<>();
		pauses.stream().filter((pause) -> pause.type() == null).forEach((pause) -> queues.put(pause.queue(), 1.0));
		queues.put(DeclaredNames.OTHER, others(jobs, declared, queues.keySet()));
		return new PauseSnapshot(queues, 0);
	}

	/**
	 * Queues that are not declared count as paused if all of them that hold due jobs are
	 * paused: otherwise, they need attention.
	 */
	private static double others(GaugeSnapshot jobs, Set<String> declared, Set<String> paused) {
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

	double of(String queue) {
		return this.queues.getOrDefault(queue, this.absent);
	}

}
