package io.jobqueue.store;

import org.jspecify.annotations.Nullable;

/**
 * The keys that a claimed job keeps from others of its queue.
 *
 * @param queue the queue
 * @param ordering the ordering key, {@code null} for none
 * @param limit the limit key, of which it has a slot, {@code null} for none
 */
public record HeldKeys(String queue, @Nullable String ordering, @Nullable String limit) {
}
