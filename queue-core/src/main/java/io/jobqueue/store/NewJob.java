package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;

/**
 * A job to be written.
 *
 * @param id the job's id
 * @param queue the queue
 * @param type the name of the type
 * @param payload the encoded payload
 * @param priority the value of its priority
 * @param runAt when it is due, or {@code null} to go by the delay
 * @param delay how long it waits from the database's now, where no run-at is given
 * @param maxAttempts the job's own limit of attempts, 0 for none
 * @param maxRunTime the job's own limit of an attempt's run time
 * @param headers the encoded headers
 * @param keys the names that it shares with others
 */
public record NewJob(UUID id, String queue, String type, Encoded payload, int priority, @Nullable Instant runAt,
		Duration delay, @Nullable Integer maxAttempts, @Nullable Duration maxRunTime, @Nullable String headers,
		JobKeys keys) {
}
