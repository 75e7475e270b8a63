package io.jobqueue.benchmark;

/**
 * One of those that alternate in a run.
 *
 * @param name its name among the samples; {@code value} and {@code floor} are the usual
 * ones
 * @param measurement one round of it
 */
record Contender(String name, Measurement measurement) {

	static Contender value(Measurement measurement) {
		return new Contender("value", measurement);
	}

	static Contender floor(Measurement measurement) {
		return new Contender("floor", measurement);
	}

	/**
	 * Measures once, from a database that is empty and at rest.
	 */
	@FunctionalInterface
	interface Measurement {

		double measure() throws Exception;

	}

}
