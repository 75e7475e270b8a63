package io.jobqueue.store;

import java.util.Collection;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What was done about jobs that wait for others at once.
 *
 * @param released those that need not wait any more
 * @param last where to go on, {@code null} if there are no more
 */
public record FollowUpPass(Collection<Arrival> released, @Nullable UUID last) {
}
