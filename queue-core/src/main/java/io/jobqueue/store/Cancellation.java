package io.jobqueue.store;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * What became of the request to cancel a job.
 *
 * @param found whether the job was not finished
 * @param ended the job, if nobody was running it: it is cancelled
 * @param arrivals those that need not wait for it any more
 */
public record Cancellation(boolean found, @Nullable EndedJob ended, Collection<Arrival> arrivals) {
}
