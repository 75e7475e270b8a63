package io.jobqueue.operations;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Returns the retention of cancelled jobs in the archive.
 */
@FunctionalInterface
public interface CancelledRetention {

	/**
	 * Return how long the archive keeps cancelled jobs of a queue.
	 * @param queue the queue
	 * @return the time, {@code null} for no limit, zero to delete them
	 */
	@Nullable Duration of(String queue);

}
