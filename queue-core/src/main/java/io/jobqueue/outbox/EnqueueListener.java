package io.jobqueue.outbox;

import java.time.Duration;
import java.util.Set;

/**
 * Hears how long it takes to enqueue. It must be quick and must not throw: the caller
 * waits for it.
 */
@FunctionalInterface
public interface EnqueueListener {

	/**
	 * Called after jobs were written or could not be. Not called for what was refused
	 * before.
	 * @param queues the queues of the jobs
	 * @param took how long it took to encode and write them, with the commit if there was
	 * no transaction to join
	 */
	void enqueued(Set<String> queues, Duration took);

}
