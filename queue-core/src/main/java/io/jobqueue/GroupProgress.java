package io.jobqueue;

import java.util.Map;

/**
 * The numbers of jobs of a group by state, all counted at the same time.
 *
 * @param counts the number of jobs for each state that has any, unmodifiable
 */
public record GroupProgress(Map<JobState, Long> counts) {

	/**
	 * Create a progress from a copy of the numbers.
	 * @param counts the numbers
	 */
	public GroupProgress {
		counts = Map.copyOf(counts);
	}

	/**
	 * Return the number of jobs in a state.
	 * @param state the state
	 * @return the number
	 */
	public long count(JobState state) {
		return this.counts.getOrDefault(state, 0L);
	}

	/**
	 * Return the number of jobs of the group.
	 * @return the number, without jobs that are no longer in the archive
	 */
	public long total() {
		return this.counts.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Return the number of finished jobs: succeeded, dead or cancelled.
	 * @return the number, without jobs that are no longer in the archive
	 */
	public long finished() {
		return count(JobState.SUCCEEDED) + count(JobState.DEAD) + count(JobState.CANCELLED);
	}

}
