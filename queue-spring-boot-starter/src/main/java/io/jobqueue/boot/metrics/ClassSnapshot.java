package io.jobqueue.boot.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.store.JobCount;
import io.jobqueue.store.MonitoringStore.TierCounts;
import io.jobqueue.store.MonitoringStore.TierSnapshot;

/**
 * The values of a queue and priority class.
 *
 * @param maxAttempts the highest number of failed attempts
 * @param maxReleases the highest number of releases in a row by stops
 * @param maxAge the age of the oldest due job, in seconds
 * @param counts number of jobs by {@linkplain #STATES state}
 */
record ClassSnapshot(double maxAttempts, double maxReleases, double maxAge, Map<JobState, Count> counts) {

	/**
	 * The states of unfinished jobs.
	 */
	static final List<JobState> STATES = List.of(JobState.SCHEDULED, JobState.READY, JobState.RUNNING,
			JobState.RETRYING, JobState.BLOCKED);

	static final ClassSnapshot NONE = new ClassSnapshot(0, 0, 0, all(Count.NONE));

	static final ClassSnapshot UNKNOWN = new ClassSnapshot(Double.NaN, Double.NaN, Double.NaN, all(Count.UNKNOWN));

	static ClassSnapshot of(TierSnapshot tier) {
		return new ClassSnapshot(tier.maxFailures(), tier.maxReleases(), seconds(tier.maxAge()), counts(tier.counts()));
	}

	private static double seconds(@Nullable Duration duration) {
		return (duration != null) ? Seconds.of(duration) : 0;
	}

	private static Map<JobState, Count> counts(@Nullable TierCounts counts) {
		if (counts == null) {
			return all(Count.UNKNOWN);
		}
		return Map.of(JobState.SCHEDULED, Count.of(counts.scheduled()), JobState.READY, Count.of(counts.ready()),
				JobState.RUNNING, Count.of(counts.running()), JobState.RETRYING, Count.of(counts.retrying()),
				JobState.BLOCKED, Count.of(counts.blocked()));
	}

	private static Map<JobState, Count> all(Count count) {
		Map<JobState, Count> counts = new EnumMap<>(JobState.class);
		STATES.forEach((state) -> counts.put(state, count));
		return counts;
	}

	ClassSnapshot and(ClassSnapshot other) {
		Map<JobState, Count> sums = new EnumMap<>(JobState.class);
		STATES.forEach((state) -> sums.put(state, count(state).and(other.count(state))));
		return new ClassSnapshot(Math.max(this.maxAttempts, other.maxAttempts),
				Math.max(this.maxReleases, other.maxReleases), Math.max(this.maxAge, other.maxAge), sums);
	}

	/**
	 * Return 1 if one of the counts is capped, 0 if none is, NaN if that is unknown.
	 */
	double capped() {
		return this.counts.values().stream().mapToDouble(Count::capped).max().orElse(Double.NaN);
	}

	Count count(JobState state) {
		return this.counts.getOrDefault(state, Count.UNKNOWN);
	}

	/**
	 * Number of jobs in a state.
	 *
	 * @param jobs the number of jobs
	 * @param capped 1 if there may be more, 0 if the number is exact
	 */
	record Count(double jobs, double capped) {

		static final Count NONE = new Count(0, 0);

		static final Count UNKNOWN = new Count(Double.NaN, Double.NaN);

		static Count of(JobCount count) {
			return new Count(count.jobs(), count.capped() ? 1 : 0);
		}

		/**
		 * A sum is capped if one of its parts is.
		 */
		Count and(Count other) {
			return new Count(this.jobs + other.jobs, Math.max(this.capped, other.capped));
		}

	}

}
