package io.jobqueue;

import java.util.Map;
import java.util.Set;

/**
 * How many jobs are in which state, at a cost that does not grow with the tables: up to
 * 10,000 unfinished jobs of a queue, priority and state are counted, up to 10,000 dead or
 * cancelled ones of a queue, and the succeeded ones among the last 10,000 in the archive.
 *
 * @param counts the numbers of those states that any job is in, unmodifiable
 * @param capped the states that may have more jobs than the number says, unmodifiable
 * @param queues the same for each queue that has jobs, unmodifiable; empty if this is
 * about a queue itself
 * @param partial whether queues are missing: of more than 1,000 queues and priorities,
 * those that no living worker serves are left out
 */
public record JobStats(Map<JobState, Long> counts, Set<JobState> capped, Map<String, JobStats> queues,
		boolean partial) {

	/**
	 * Create it from copies.
	 * @param counts the numbers
	 * @param capped the states that may have more jobs than the number says
	 * @param queues the same for each queue
	 * @param partial whether queues are missing
	 */
	public JobStats {
		counts = Map.copyOf(counts);
		capped = Set.copyOf(capped);
		queues = Map.copyOf(queues);
	}

	/**
	 * Return how many jobs are in a state.
	 * @param state the state
	 * @return the number; at least so many if {@link #isCapped} is {@code true}
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
