package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

/**
 * Reads what the gauges show, at a cost that does not grow with the table.
 */
public interface GaugeStore {

	/**
	 * Read the queues and priorities that hold unfinished jobs: those of the given
	 * queues, and of others as many as can be read at a bounded cost.
	 * @param queues names of queues
	 * @return a reading for each queue and priority
	 */
	GaugeReading read(Collection<String> queues);

	/**
	 * Return the queues that living workers serve.
	 * @return names of queues
	 */
	List<String> servedQueues();

}
