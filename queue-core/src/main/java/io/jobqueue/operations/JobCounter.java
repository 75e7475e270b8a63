package io.jobqueue.operations;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.jobqueue.JobQueueException;
import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.store.MonitoringStore;
import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.SearchStore;
import io.jobqueue.store.SearchStore.ArchiveCount;

/**
 * Counts jobs by their state.
 */
final class JobCounter {

	private final MonitoringStore gauges;

	private final SearchStore search;

	JobCounter(MonitoringStore gauges, SearchStore search) {
		this.gauges = gauges;
		this.search = search;
	}

	JobStats ofAll() {
		GaugeSnapshot live = this.gauges.read(this.gauges.servedQueues());
		StateCounts all = new StateCounts();
		Map<String, JobStats> each = new TreeMap<>();
		queues(live).forEach((queue, counts) -> {
			all.addAll(counts);
			each.put(queue, counts.stats());
		});
		return all.stats(each, !live.complete());
	}

	/**
	 * Any number of queues may be there; the named one is counted in any case.
	 */
	JobStats of(String queue) {
		GaugeSnapshot live = this.gauges.read(Set.of(queue));
		if (!live.isAllOf(queue)) {
			throw uncountable();
		}
		return queues(live).getOrDefault(queue, new StateCounts()).stats();
	}

	private Map<String, StateCounts> queues(GaugeSnapshot live) {
		Map<String, StateCounts> queues = new TreeMap<>();
		for (TierSnapshot tier : live.tiers()) {
			add(queues.computeIfAbsent(tier.queue(), (absent) -> new StateCounts()), tier);
		}
		for (ArchiveCount finished : this.search.countFinished()) {
			queues.computeIfAbsent(finished.queue(), (absent) -> new StateCounts())
				.add(finished.state(), finished.count());
		}
		return queues;
	}

	private static void add(StateCounts queue, TierSnapshot tier) {
		TierCounts counts = tier.counts();
		if (counts == null) {
			throw uncountable();
		}
		queue.add(JobState.SCHEDULED, counts.scheduled());
		queue.add(JobState.READY, counts.ready());
		queue.add(JobState.RUNNING, counts.running());
		queue.add(JobState.RETRYING, counts.retrying());
		queue.add(JobState.BLOCKED, counts.blocked());
	}

	private static JobQueueException uncountable() {
		return new JobQueueException(
				"Could not count jobs: the database did not answer in time. See the log and the age of the oldest snapshot");
	}

}
