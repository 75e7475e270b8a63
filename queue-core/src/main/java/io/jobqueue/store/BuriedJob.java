package io.jobqueue.store;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A job that died when it was taken away from its worker.
 *
 * @param id the job's id
 * @param tier its queue and priority
 * @param type the name of its type
 * @param runAt when it was due
 * @param attempt the number of its last attempt
 * @param maxAttempts after how many attempts it is given up, 0 for never
 * @param createdAt when it was enqueued
 * @param headers its encoded headers
 */
public record BuriedJob(UUID id, Tier tier, String type, Instant runAt, int attempt, int maxAttempts, Instant createdAt,
		@Nullable String headers) {
}
