package io.jobqueue;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Something that is paused.
 *
 * @param queue the queue
 * @param type the name of the type, {@code null} if all of the queue is paused
 * @param since when it was paused, by the database's clock
 * @param by who did so, {@code null} if that is not known
 */
public record QueuePause(String queue, @Nullable String type, Instant since, @Nullable String by) {
}
