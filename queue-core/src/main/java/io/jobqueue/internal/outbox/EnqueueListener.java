package io.jobqueue.internal.outbox;

import java.time.Duration;
import java.util.Map;

/**
 * Receives the duration of enqueueing. Implementations run on the caller's thread, so
 * they must not block and must not throw.
 */
@FunctionalInterface
public interface EnqueueListener {

	/**
	 * Called after the write of jobs, also if it fails, but not for requests that were
	 * rejected before.
	 * @param queues the names of the queues of the jobs, each with the type of one of
	 * them
	 * @param took the time to encode and write them, including the commit if there was no
	 * transaction to join
	 */
	void enqueued(Map<String, String> queues, Duration took);

}
