package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.boot.reading.Seconds;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.MonitoringStore.TierSnapshot;

/**
 * What the gauges show of a queue and priority class.
 *
 * @param maxAttempts the highest number of failed attempts
 * @param maxAge the age of the oldest due job, in seconds
 * @param counts how many jobs there are by {@linkplain #STATES state}
 */
record ClassTotals(double maxAttempts, double maxAge, Map<JobState, Total> counts) {

	/**
	 * The states of unfinished jobs.
	 */
	static final List<JobState> STATES = List.of(JobState.SCHEDULED, JobState.READY, JobState.RUNNING,
			JobState.RETRYING, JobState.BLOCKED);

	static final ClassTotals NONE = new ClassTotals(0, 0, all(Total.NONE));

	static final ClassTotals UNKNOWN = new ClassTotals(Double.NaN, Double.NaN, all(Total.UNKNOWN));

	static ClassTotals of(TierSnapshot tier) {
		return new ClassTotals(tier.maxFailures(), seconds(tier.maxAge()), counts(tier.counts()));
	}

	private static double seconds(@Nullable Duration duration) {
		return (duration != null) ? Seconds.of(duration) : 0;
	}

	private static Map<JobState, Total> counts(@Nullable TierCounts counts) {
		if (counts == null) {
			return all(Total.UNKNOWN);
		}
		return Map.of(JobState.SCHEDULED, Total.of(counts.scheduled()), JobState.READY, Total.of(counts.ready()),
				JobState.RUNNING, Total.of(counts.running()), JobState.RETRYING, Total.of(counts.retrying()),
				JobState.BLOCKED, Total.of(counts.blocked()));
	}

	private static Map<JobState, Total> all(Total total) {
		Map<JobState, Total> totals = new EnumMap<>(JobState.class);
		STATES.forEach((state) -> totals.put(state, total));
		return totals;
	}

	ClassTotals and(ClassTotals other) {
		Map<JobState, Total> sums = new EnumMap<>(JobState.class);
		STATES.forEach((state) -> sums.put(state, count(state).and(other.count(state))));
		return new ClassTotals(Math.max(this.maxAttempts, other.maxAttempts), Math.max(this.maxAge, other.maxAge),
				sums);
	}

	/**
	 * Tell whether one of the counts is an estimate: 1 if so, 0 if not, NaN if unknown.
	 */
	double estimated() {
		return this.counts.values().stream().mapToDouble(Total::estimated).max().orElse(Double.NaN);
	}

	Total count(JobState state) {
		return this.counts.getOrDefault(state, Total.UNKNOWN);
	}

}
