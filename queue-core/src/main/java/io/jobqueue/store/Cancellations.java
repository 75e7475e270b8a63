package io.jobqueue.store;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * What became of the request to cancel several jobs.
 *
 * @param running the ids of those that run, and are asked to end
 * @param ended those that nobody was running: they are cancelled
 * @param arrivals those that need not wait for these any more
 */
public record Cancellations(Collection<UUID> running, List<EndedJob> ended, Collection<Arrival> arrivals) {
}
