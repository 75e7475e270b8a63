package io.jobqueue.store;

import java.util.List;

/**
 * Tells what keeps the database from cleaning up after jobs that are gone, at a cost that
 * does not grow with the tables.
 */
public interface CleanupStore {

	/**
	 * Return the tables that rows of jobs die in.
	 * @return their names
	 */
	List<String> tables();

	/**
	 * Look.
	 * @return what was seen
	 */
	CleanupReading read();

}
