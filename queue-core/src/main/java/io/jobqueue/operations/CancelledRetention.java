package io.jobqueue.operations;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How long the archive keeps cancelled jobs, by queue.
 */
@FunctionalInterface
public interface CancelledRetention {

	/**
	 * Return how long the archive keeps cancelled jobs of a queue.
	 * @param queue the queue
	 * @return the time, {@code null} for ever, zero for not at all
	 */
	@Nullable Duration of(String queue);

}
