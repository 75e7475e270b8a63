package io.jobqueue.outbox;

import java.time.Duration;
import java.util.Set;

/**
 * Measures how long it takes to enqueue. Implementations must be quick and must not
 * throw: they run on the caller's thread.
 */
@FunctionalInterface
public interface EnqueueListener {

	/**
	 * Called after jobs were written or could not be written, but not for requests that
	 * were rejected before.
	 * @param queues the queues of the jobs
	 * @param took how long it took to encode and write them, with the commit if there was
	 * no transaction to join
	 */
	void enqueued(Set<String> queues, Duration took);

}
