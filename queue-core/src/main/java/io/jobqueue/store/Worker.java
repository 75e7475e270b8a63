package io.jobqueue.store;

import java.time.Duration;
import java.util.Collection;
import java.util.UUID;

/**
 * A worker, as others see it.
 *
 * @param id a random id per start
 * @param name a name for people, such as {@code host:pid}
 * @param queues the queues that it serves
 * @param service the same for all workers that serve the same queues, types and
 * priorities
 * @param timeout how long it may be silent before others take it for dead
 * @param limits the limits of its queues that hold over all workers, as text
 */
public record Worker(UUID id, String name, Collection<String> queues, UUID service, Duration timeout, String limits) {
}
