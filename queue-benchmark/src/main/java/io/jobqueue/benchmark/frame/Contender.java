package io.jobqueue.benchmark.frame;

/**
 * One of those that alternate in a run.
 *
 * @param name its name among the samples; {@code value} and {@code floor} are the usual
 * ones
 * @param measurement one round of it
 */
public record Contender(String name, Measurement measurement) {

	public static Contender value(Measurement measurement) {
		return new Contender("value", measurement);
	}

	public static Contender floor(Measurement measurement) {
		return new Contender("floor", measurement);
	}

	/**
	 * Measures once, from a database that is empty and at rest.
	 */
	@FunctionalInterface
	public interface Measurement {

		double measure() throws Exception;

	}

}
