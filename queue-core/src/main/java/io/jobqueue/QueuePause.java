package io.jobqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A paused queue or type.
 *
 * @param queue the queue
 * @param type the name of the type, {@code null} if all of the queue is paused
 * @param since the time of the pause, by the database's clock
 * @param by the name of the user who paused it, {@code null} if unknown
 * @param reason the reason that the user gave for the operator log, {@code null} if there
 * was none, or if it is no longer in the log
 */
public record QueuePause(String queue, @Nullable String type, Instant since, @Nullable String by,
		@Nullable String reason) {
}
