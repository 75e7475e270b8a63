package io.jobqueue.benchmark.frame;

import java.util.List;

/**
 * Something to measure, with what has to come out of it at least.
 */
public interface Scenario {

	String name();

	/**
	 * Tell what is measured.
	 * @return a phrase for the usage and the report
	 */
	String measures();

	/**
	 * Tell what has to be reached.
	 * @return bars, each on a figure of the result
	 */
	List<Bar> bars();

	Result run(Workbench workbench) throws Exception;

}
