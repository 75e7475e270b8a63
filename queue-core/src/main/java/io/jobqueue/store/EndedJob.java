package io.jobqueue.store;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * A job that ended without its worker: it died, or was cancelled.
 *
 * @param id the job's id
 * @param state how it ended
 * @param tier its queue and priority
 * @param type the name of its type
 * @param runAt when it was due
 * @param attempt the number of its last attempt
 * @param maxAttempts after how many attempts it is given up, 0 for never, {@code null}
 * where that is not decided
 * @param createdAt when it was enqueued
 * @param headers its encoded headers
 */
public record EndedJob(UUID id, JobState state, Tier tier, String type, Instant runAt, int attempt,
		@Nullable Integer maxAttempts, Instant createdAt, @Nullable String headers) {

	/**
	 * Return what people need to know of the job.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s]".formatted(this.id, this.tier.queue(), this.type);
	}

}
