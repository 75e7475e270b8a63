package io.jobqueue.store;

import java.util.List;

/**
 * Reads what the gauges show, at a cost that does not grow with the table.
 */
public interface GaugeStore {

	/**
	 * Read all queues and priorities that hold unfinished jobs.
	 * @return a reading for each queue and priority
	 */
	List<LaneReading> read();

	/**
	 * Return the queues that living workers serve.
	 * @return names of queues
	 */
	List<String> servedQueues();

}
