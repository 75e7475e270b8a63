package io.jobqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The unfinished jobs of one queue and priority.
 *
 * @param queue the queue
 * @param priority the value of the priority
 * @param maxFailures the highest number of failed attempts of a job
 * @param maxAge how long the oldest due job has been waiting, {@code null} if none waits
 * @param scheduled how many wait for their first run-at
 * @param ready how many are due and wait
 * @param running how many are claimed
 * @param retrying how many back off
 */
public record LaneReading(String queue, int priority, int maxFailures, @Nullable Duration maxAge, long scheduled,
		long ready, long running, long retrying) {
}
