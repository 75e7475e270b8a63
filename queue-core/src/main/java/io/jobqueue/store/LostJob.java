package io.jobqueue.store;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * A job that was taken away from its worker.
 *
 * @param id the job's id
 * @param tier its queue and priority
 * @param type the name of its type
 * @param attempt the number of the attempt that was lost
 * @param failures how many attempts have failed, this one included
 * @param headers its encoded headers
 * @param worker the name of the worker that had it, or its id if nobody knows the name
 * @param ended how it ended, {@code null} if it is ready again
 */
public record LostJob(UUID id, Tier tier, String type, int attempt, int failures, @Nullable String headers,
		String worker, @Nullable JobState ended) {

	/**
	 * Return whether it died.
	 * @return {@code true} if it is dead
	 */
	public boolean dead() {
		return this.ended == JobState.DEAD;
	}

	/**
	 * Return what people need to know of the job.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s, attempt=%d]".formatted(this.id, this.tier.queue(), this.type, this.attempt);
	}

}
