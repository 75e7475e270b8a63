package io.jobqueue.operations;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.jobqueue.JobQueueException;
import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.store.FinishedCount;
import io.jobqueue.store.GaugeStore;
import io.jobqueue.store.SearchStore;
import io.jobqueue.store.TierCounts;
import io.jobqueue.store.TierReading;

/**
 * Counts jobs by their state.
 */
final class Counting {

	private final GaugeStore gauges;

	private final SearchStore search;

	Counting(GaugeStore gauges, SearchStore search) {
		this.gauges = gauges;
		this.search = search;
	}

	JobStats ofAll() {
		Map<String, StateCounts> queues = queues(Set.of());
		StateCounts all = new StateCounts();
		Map<String, JobStats> each = new TreeMap<>();
		queues.forEach((queue, counts) -> {
			all.addAll(counts);
			each.put(queue, counts.stats(Map.of()));
		});
		return all.stats(each);
	}

	JobStats of(String queue) {
		return queues(Set.of(queue)).getOrDefault(queue, new StateCounts()).stats(Map.of());
	}

	/**
	 * Any number of queues may be there; the named ones are counted in any case.
	 */
	private Map<String, StateCounts> queues(Set<String> named) {
		Map<String, StateCounts> queues = new TreeMap<>();
		for (TierReading tier : this.gauges.read(named).tiers()) {
			add(queues.computeIfAbsent(tier.queue(), (absent) -> new StateCounts()), tier);
		}
		for (FinishedCount finished : this.search.countFinished()) {
			queues.computeIfAbsent(finished.queue(), (absent) -> new StateCounts())
				.add(finished.state(), finished.count());
		}
		return queues;
	}

	private static void add(StateCounts queue, TierReading tier) {
		TierCounts counts = tier.counts();
		if (counts == null) {
			throw new JobQueueException("Jobs cannot be counted at the moment; the log says why");
		}
		queue.add(JobState.SCHEDULED, counts.scheduled());
		queue.add(JobState.READY, counts.ready());
		queue.add(JobState.RUNNING, counts.running());
		queue.add(JobState.RETRYING, counts.retrying());
		queue.add(JobState.BLOCKED, counts.blocked());
	}

}
