package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * Jobs that were taken away from their worker.
 *
 * @param tier their queue and priority
 * @param position a place in the tier that none of them comes before
 * @param type their type
 * @param worker the name of the worker that had them, or its id if nobody knows the name
 * @param ended how they ended, {@code null} if they are ready again
 * @param count how many there are
 */
public record ReapedJobs(Tier tier, Position position, String type, String worker, @Nullable JobState ended,
		long count) {

	/**
	 * Return whether they died.
	 * @return {@code true} if they are dead
	 */
	public boolean dead() {
		return this.ended == JobState.DEAD;
	}

}
