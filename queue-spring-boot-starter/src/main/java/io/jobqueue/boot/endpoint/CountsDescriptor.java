package io.jobqueue.boot.endpoint;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.jobqueue.JobState;
import io.jobqueue.JobStats;

/**
 * How many jobs are in which state.
 *
 * @param jobs the numbers of those states that any job is in
 * @param estimates the states whose number is an estimate
 */
record CountsDescriptor(Map<JobState, Long> jobs, List<JobState> estimates) {

	static CountsDescriptor of(JobStats stats) {
		return new CountsDescriptor(sorted(stats.counts()), stats.estimates().stream().sorted().toList());
	}

	static Map<JobState, Long> sorted(Map<JobState, Long> counts) {
		Map<JobState, Long> sorted = new EnumMap<>(JobState.class);
		sorted.putAll(counts);
		return sorted;
	}

}
