package io.jobqueue.store;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What an operator changed.
 *
 * @param jobs the ids of the jobs
 * @param arrivals those that may run now, or later
 * @param holders for jobs that were left alone because their unique key is taken, the id
 * of the job that has it
 */
public record Changed(Set<UUID> jobs, Collection<Arrival> arrivals, Map<UUID, UUID> holders) {
}
