package io.jobqueue.store;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What a claim brought.
 *
 * @param jobs the claimed jobs
 * @param withheld due jobs that were not claimed because they are on their last attempt
 * and found no free handler
 * @param missed whether a due job that was found slipped away, because it was changed
 * meanwhile
 * @param at when the database looked, {@code null} if it refused to: it does not take the
 * worker to be alive
 * @param nextDueIn how long until the next job of the demanded priorities is due,
 * {@code null} if that is not known
 */
public record ClaimedJobs(List<ClaimedJob> jobs, Collection<Arrival> withheld, boolean missed, @Nullable Instant at,
		@Nullable Duration nextDueIn) {
}
