package io.jobqueue.internal.policy;

import java.time.Duration;

/**
 * The limits of a transaction that several transactional jobs of a queue share.
 *
 * @param size the maximum number of jobs, 1 for a transaction of its own for each job
 * @param time the time from the start of the first handler after which no further one
 * starts
 */
public record TransactionLimits(int size, Duration time) {

	/**
	 * The maximum size. The server keeps up to 64 subtransactions of a session in its
	 * shared memory; with more of them, the snapshots of all sessions become slower.
	 */
	public static final int MAX_SIZE = 50;

	/**
	 * Each job has a transaction of its own.
	 */
	public static final TransactionLimits SINGLE = new TransactionLimits(1, Duration.ofMillis(250));

}
