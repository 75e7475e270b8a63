package io.jobqueue.store;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * What was done about jobs that wait for their key at once.
 *
 * @param nominated those that are to be judged again
 * @param last the key to go on behind, {@code null} if there are no more
 */
public record KeyPass(Collection<Arrival> nominated, @Nullable KeyPlace last) {
}
