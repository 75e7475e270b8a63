package io.jobqueue.benchmark.frame;

import java.util.List;

/**
 * Something to measure, with what has to come out of it at least.
 */
public interface Scenario {

	/**
	 * Return the name by which it is asked for, which also names its charts.
	 * @return small letters and hyphens, the same for no other scenario
	 */
	String name();

	/**
	 * Return what is measured.
	 * @return a phrase for the usage and the report
	 */
	String measures();

	/**
	 * Return what has to be reached.
	 * @return bars, each on a figure of the result
	 */
	List<Bar> bars();

	/**
	 * Return whether the bars are promises that hold on every machine, so that the
	 * benchmark fails if one is missed, and not a matter of its speed.
	 * @return {@code false} unless overridden
	 */
	default boolean isPromise() {
		return false;
	}

	/**
	 * Measure. The database is as the scenario before left it, and need not be cleaned up
	 * for the next one.
	 * @param workbench what to measure with
	 * @return what was measured, with every figure that a bar names
	 * @throws Exception if it cannot be measured, which ends the whole run
	 */
	Result run(Workbench workbench) throws Exception;

}
