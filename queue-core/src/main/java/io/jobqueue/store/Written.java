package io.jobqueue.store;

import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/**
 * What was written when outcomes were recorded.
 *
 * @param jobs the ids of the jobs whose claim the worker still had
 * @param arrivals those of them that wait again, and those that waited for them
 * @param cancelled those of them that were cancelled instead, as somebody had asked for
 */
public record Written(Set<UUID> jobs, Collection<Arrival> arrivals, Set<UUID> cancelled) {
}
