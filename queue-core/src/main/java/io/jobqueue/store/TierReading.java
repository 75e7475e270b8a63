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
 * @param counts how many there are, {@code null} if nobody counted
 */
public record TierReading(String queue, int priority, int maxFailures, @Nullable Duration maxAge,
		@Nullable TierCounts counts) {

	/**
	 * Add counts.
	 * @param counted how many jobs there are
	 * @return a copy with these counts
	 */
	public TierReading with(TierCounts counted) {
		return new TierReading(this.queue, this.priority, this.maxFailures, this.maxAge, counted);
	}

}
