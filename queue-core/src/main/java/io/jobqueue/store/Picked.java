package io.jobqueue.store;

import java.util.Collection;

/**
 * What came of the claim of one job by its id.
 *
 * @param claimed the job, or nothing
 * @param admitted jobs that can be claimed now because they were judged on the way
 */
public record Picked(ClaimedJobs claimed, Collection<Arrival> admitted) {
}
