package io.jobqueue.benchmark.frame;

/**
 * One of those that alternate in a run.
 *
 * @param name its name among the samples; {@code value} and {@code floor} are the usual
 * ones
 * @param measurement one round of it
 */
public record Contender(String name, Measurement measurement) {

	/**
	 * Enter what is measured, as {@code value}.
	 * @param measurement one round of it
	 * @return the contender
	 */
	public static Contender value(Measurement measurement) {
		return new Contender("value", measurement);
	}

	/**
	 * Enter what that is compared with, as {@code floor}.
	 * @param measurement one round of it
	 * @return the contender
	 */
	public static Contender floor(Measurement measurement) {
		return new Contender("floor", measurement);
	}

	/**
	 * Measures once, from a database that is empty and at rest.
	 */
	@FunctionalInterface
	public interface Measurement {

		/**
		 * Measure one round.
		 * @return the figure, in the unit of the result
		 * @throws Exception if it cannot be measured, which ends the scenario
		 */
		double measure() throws Exception;

	}

}
