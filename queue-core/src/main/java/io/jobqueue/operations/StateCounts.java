package io.jobqueue.operations;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.store.JobCount;

/**
 * Adds up numbers of jobs.
 */
final class StateCounts {

	private final Map<JobState, Long> counts = new EnumMap<>(JobState.class);

	private final Set<JobState> estimates = EnumSet.noneOf(JobState.class);

	void add(JobState state, JobCount count) {
		if (count.jobs() > 0) {
			this.counts.merge(state, count.jobs(), Long::sum);
		}
		if (count.estimated()) {
			this.estimates.add(state);
		}
	}

	void addAll(StateCounts other) {
		other.counts.forEach((state, count) -> add(state, new JobCount(count, other.estimates.contains(state))));
	}

	JobStats stats() {
		return stats(Map.of(), false);
	}

	JobStats stats(Map<String, JobStats> queues, boolean partial) {
		return new JobStats(this.counts, this.estimates, queues, partial);
	}

}
