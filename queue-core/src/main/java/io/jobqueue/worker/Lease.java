package io.jobqueue.worker;

import java.time.Duration;

import io.jobqueue.ClaimLostException;

/**
 * The time that an attempt may take.
 */
@FunctionalInterface
interface Lease {

	/**
	 * Begin the lease anew.
	 * @throws ClaimLostException if it is over
	 */
	void extend(Duration duration);

}
