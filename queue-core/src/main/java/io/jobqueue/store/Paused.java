package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * What is not to be claimed.
 *
 * @param queue the queue
 * @param type the name of the type, {@code null} for all of the queue
 */
public record Paused(String queue, @Nullable String type) {
}
