package io.jobqueue.store;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * A job that ended outside a worker: it is dead or cancelled.
 *
 * @param id the job's id
 * @param state its final state
 * @param tier its queue and priority
 * @param type the name of its type
 * @param runAt the time it was due
 * @param attempt the number of its last attempt
 * @param maxAttempts the maximum number of attempts, 0 for no limit, {@code null} if
 * unknown
 * @param createdAt the time it was enqueued
 * @param headers its encoded headers
 * @param hasSuccessors whether other jobs wait for it
 */
public record EndedJob(UUID id, JobState state, Tier tier, String type, Instant runAt, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, @Nullable String headers, boolean hasSuccessors) {

	/**
	 * Return the id, queue and type of the job, for log messages.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s]".formatted(this.id, this.tier.queue(), this.type);
	}

}
