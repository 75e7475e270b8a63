package io.jobqueue.benchmark.subject;

/**
 * A system that drains a backlog of jobs.
 */
public interface MeasuredSystem extends AutoCloseable {

	/**
	 * Empty the tables, and fill them with jobs that are due.
	 * @param jobs how many
	 */
	void fill(int jobs);

	/**
	 * Run these jobs, and measure from the first claim to the last commit.
	 * @param jobs how many there are
	 * @return jobs per second
	 * @throws Exception if that fails
	 */
	double drain(int jobs) throws Exception;

	@Override
	void close();

}
