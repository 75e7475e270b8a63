package io.jobqueue.store;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/**
 * What was written when outcomes were recorded.
 *
 * @param jobs the ids of the jobs whose claim the worker still had
 * @param arrivals those of them that wait again, and those that waited for them
 */
public record Written(Set<UUID> jobs, Collection<Arrival> arrivals) {
}
