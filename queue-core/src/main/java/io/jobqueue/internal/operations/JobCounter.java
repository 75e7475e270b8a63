package io.jobqueue.internal.operations;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.jobqueue.JobQueueException;
import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.MonitoringStore;
import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierCounts;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ArchiveCount;

/**
 * Counts jobs by their state.
 */
final class JobCounter {

	private final MonitoringStore monitoring;

	private final SearchStore search;

	JobCounter(MonitoringStore monitoring, SearchStore search) {
		this.monitoring = monitoring;
		this.search = search;
	}

	/**
	 * Count all queues. The result is partial if a snapshot does not hold them all.
	 */
	JobStats ofAll() {
		GaugeSnapshot live = this.monitoring.read(this.monitoring.servedQueues());
		StateCounts all = new StateCounts();
		Map<String, JobStats> each = new TreeMap<>();
		queues(live, new TreeMap<>()).forEach((queue, counts) -> {
			all.addAll(counts);
			each.put(queue, counts.stats(Map.of(), false));
		});
		return all.stats(each, !live.complete());
	}

	/**
	 * Count one queue. It is counted even if {@link #ofAll()} leaves it out.
	 */
	JobStats of(String queue) {
		GaugeSnapshot live = this.monitoring.read(Set.of(queue));
		if (!live.isAllOf(queue)) {
			throw uncountable();
		}
		StateCounts counts = new StateCounts();
		queues(live, new TreeMap<>(Map.of(queue, counts)));
		return counts.stats(Map.of(), false);
	}

	/**
	 * In a large archive, any queue may have more successes than are counted.
	 */
	private Map<String, StateCounts> queues(GaugeSnapshot live, Map<String, StateCounts> queues) {
		boolean anyMore = false;
		for (TierSnapshot tier : live.tiers()) {
			add(queues.computeIfAbsent(tier.queue(), (absent) -> new StateCounts()), tier);
		}
		for (ArchiveCount finished : this.search.countFinished()) {
			queues.computeIfAbsent(finished.queue(), (absent) -> new StateCounts())
				.add(finished.state(), finished.count());
			anyMore |= finished.state() == JobState.SUCCEEDED && finished.count().capped();
		}
		if (anyMore) {
			queues.values().forEach((queue) -> queue.add(JobState.SUCCEEDED, new JobCount(0, true)));
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

	/**
	 * Sums of jobs by state, and which of them are capped.
	 */
	private static final class StateCounts {

		private final Map<JobState, Long> counts = new EnumMap<>(JobState.class);

		private final Set<JobState> capped = EnumSet.noneOf(JobState.class);

		void add(JobState state, JobCount count) {
			if (count.jobs() > 0) {
				this.counts.merge(state, count.jobs(), Long::sum);
			}
			if (count.capped()) {
				this.capped.add(state);
			}
		}

		void addAll(StateCounts other) {
			other.counts.forEach((state, count) -> add(state, new JobCount(count, other.capped.contains(state))));
		}

		JobStats stats(Map<String, JobStats> queues, boolean partial) {
			return new JobStats(this.counts, this.capped, queues, partial);
		}

	}

}
