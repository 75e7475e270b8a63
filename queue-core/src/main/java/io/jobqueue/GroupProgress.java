package io.jobqueue;

import java.util.Map;

/**
 * How many jobs of a group are in which state, at one moment.
 *
 * @param counts the numbers of those states that any job is in, unmodifiable
 */
public record GroupProgress(Map<JobState, Long> counts) {

	/**
	 * Create it from a copy of the numbers.
	 * @param counts the numbers
	 */
	public GroupProgress {
		counts = Map.copyOf(counts);
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
	 * Return how many jobs the group has.
	 * @return the number, without those that the archive does not keep any more
	 */
	public long total() {
		return this.counts.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Return how many jobs have ended: succeeded, dead or cancelled.
	 * @return the number, without those that the archive does not keep any more
	 */
	public long finished() {
		return count(JobState.SUCCEEDED) + count(JobState.DEAD) + count(JobState.CANCELLED);
	}

}
