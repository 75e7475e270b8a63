package io.jobqueue.benchmark.chaos;

import java.util.Random;

/**
 * Something that goes wrong in a cluster.
 */
interface Fault {

	/**
	 * Return the name, for people.
	 */
	default String name() {
		return getClass().getSimpleName();
	}

	/**
	 * Let it happen, and return when it is over.
	 * @param random decides whom it hits
	 * @throws Exception if it could not happen
	 */
	void strike(Random random) throws Exception;

}
