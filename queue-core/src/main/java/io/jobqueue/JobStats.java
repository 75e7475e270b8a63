package io.jobqueue;

import java.util.Map;
import java.util.Set;

/**
 * How many jobs are in which state. Up to 10,000 of a queue, priority and state are
 * counted; what is beyond that is estimated, at a cost that does not grow with the
 * tables.
 *
 * @param counts the numbers of those states that any job is in, unmodifiable
 * @param estimates the states whose number is an estimate, unmodifiable
 * @param queues the same for each queue that has jobs, unmodifiable; empty if this is
 * about a queue itself
 * @param partial whether queues are missing: of more than 1,000 queues and priorities,
 * those that no living worker serves are left out
 */
public record JobStats(Map<JobState, Long> counts, Set<JobState> estimates, Map<String, JobStats> queues,
		boolean partial) {

	/**
	 * Create it from copies.
	 * @param counts the numbers
	 * @param estimates the states whose number is an estimate
	 * @param queues the same for each queue
	 * @param partial whether queues are missing
	 */
	public JobStats {
		counts = Map.copyOf(counts);
		estimates = Set.copyOf(estimates);
		queues = Map.copyOf(queues);
	}

	/**
	 * Return how many jobs are in a state.
	 * @param state the state
	 * @return the number
	 */
	public long count(JobState state) {
		return this.counts.getOrDefault(state, 0L);
	}

	/**
	 * Return whether the number of a state is an estimate.
	 * @param state the state
	 * @return {@code false} if it was counted
	 */
	public boolean isEstimate(JobState state) {
		return this.estimates.contains(state);
	}

}
