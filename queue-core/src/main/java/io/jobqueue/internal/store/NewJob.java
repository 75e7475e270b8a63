package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;

/**
 * A job to be inserted.
 *
 * @param id the job's id
 * @param queue the queue
 * @param type the name of the type
 * @param payload the encoded payload
 * @param priority the value of its priority
 * @param runAt the time it is due, {@code null} to use the delay
 * @param delay the time until it is due, from the database's clock, used without
 * {@code runAt}
 * @param expiresAfter the time after {@code runAt} at which it expires unless it has
 * begun, {@code null} if it does not expire
 * @param maxAttempts the job's own maximum number of attempts, 0 for no limit,
 * {@code null} for that of its type or queue
 * @param maxRunTime the job's own maximum run time of an attempt, {@code null} for that
 * of its type or queue
 * @param headers the encoded headers
 * @param keys the keys of the job
 * @param predecessors the jobs that it waits for
 */
public record NewJob(UUID id, String queue, String type, Encoded payload, int priority, @Nullable Instant runAt,
		Duration delay, @Nullable Duration expiresAfter, @Nullable Integer maxAttempts, @Nullable Duration maxRunTime,
		@Nullable String headers, JobKeys keys, Predecessors predecessors) {
}
