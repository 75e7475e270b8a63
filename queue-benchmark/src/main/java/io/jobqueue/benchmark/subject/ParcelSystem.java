package io.jobqueue.benchmark.subject;

/**
 * A system whose jobs are parcels.
 */
public interface ParcelSystem extends AutoCloseable {

	/**
	 * Empty the tables. They are in new files then, whose pages are younger than the last
	 * checkpoint, so that none is written to the log as a whole.
	 */
	void clear();

	/**
	 * Add jobs that are due, 1,000 in a transaction.
	 * @param jobs how many
	 */
	void fill(int jobs);

	/**
	 * Run these jobs until the outcome of the last one is committed.
	 * @param jobs how many there are
	 * @throws Exception if that fails
	 */
	void drain(int jobs) throws Exception;

	/**
	 * Insert a business row and a job in one transaction.
	 * @param number the number of the transaction, from 0
	 * @throws Exception if that fails
	 */
	void commit(int number) throws Exception;

	/**
	 * Remove the dead rows that finished jobs have left, as autovacuum does.
	 */
	void vacuum();

	@Override
	void close();

}
