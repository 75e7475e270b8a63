package io.jobqueue.store;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobDetails;
import io.jobqueue.JobState;

/**
 * A job as the tables hold it, but for its payload.
 *
 * @param id the job's id
 * @param tier its queue and priority
 * @param type the name of its type
 * @param state its state
 * @param attempts how many attempts have begun
 * @param maxAttempts its own limit of attempts, if it has one
 * @param createdAt when it was enqueued
 * @param runAt when it is due, or was
 * @param headers its encoded headers
 * @param details the rest
 */
public record FoundJob(UUID id, Tier tier, String type, JobState state, int attempts, @Nullable Integer maxAttempts,
		Instant createdAt, Instant runAt, @Nullable String headers, JobDetails details) {
}
