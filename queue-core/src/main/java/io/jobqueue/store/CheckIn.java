package io.jobqueue.store;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

/**
 * What a worker hears when it tells that it is alive.
 *
 * @param known whether the database knew the worker; if not, this is its first time, or
 * others took it for dead and have its jobs
 * @param place its place among the idle workers that serve the same, from 0
 * @param size how many of them there are; 1 for a worker that is not idle
 * @param at the time on the database's clock
 * @param cancels the ids of the jobs it has that are to be cancelled
 * @param pauses a number that changes with what is paused, 0 if nothing is
 */
public record CheckIn(boolean known, int place, int size, Instant at, Set<UUID> cancels, long pauses) {
}
