package io.jobqueue;

import java.util.Map;
import java.util.Set;

/**
 * The numbers of jobs by state, counted at a cost that does not grow with the tables: at
 * most 10,000 unfinished jobs of each queue, priority and state, at most 10,000 dead or
 * cancelled jobs of each queue, and the succeeded jobs among the last 10,000 of the
 * archive.
 *
 * @param counts the number of jobs for each state that has any, unmodifiable
 * @param capped the states that may have more jobs than were counted, unmodifiable
 * @param queues the same for each queue that has jobs, unmodifiable; empty in the numbers
 * of one queue
 * @param partial whether queues are missing: of more than 1,000 queues and priorities,
 * those that no living worker serves are left out
 */
public record JobStats(Map<JobState, Long> counts, Set<JobState> capped, Map<String, JobStats> queues,
		boolean partial) {

	/**
	 * Create the numbers from copies.
	 * @param counts the numbers
	 * @param capped the states that may have more jobs than were counted
	 * @param queues the same for each queue
	 * @param partial whether queues are missing
	 */
	public JobStats {
		counts = Map.copyOf(counts);
		capped = Set.copyOf(capped);
		queues = Map.copyOf(queues);
	}

	/**
	 * Return the number of jobs in a state.
	 * @param state the state
	 * @return the number; a lower bound if {@link #isCapped} is {@code true}
	 */
	public long count(JobState state) {
		return this.counts.getOrDefault(state, 0L);
	}

	/**
	 * Return whether there may be more jobs in a state than {@link #count} returns.
	 * @param state the state
	 * @return {@code false} if the number is exact
	 */
	public boolean isCapped(JobState state) {
		return this.capped.contains(state);
	}

}
