package io.jobqueue.store;

import java.time.Duration;
import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * What became of jobs that wait to be admitted.
 *
 * @param admitted those that can be claimed from now on
 * @param nextDueIn how long until there is something to be judged again, zero if there is
 * more now, {@code null} if there is nothing
 */
public record Admission(Collection<Arrival> admitted, @Nullable Duration nextDueIn) {
}
