package io.jobqueue.store;

import java.util.List;
import java.util.Set;

/**
 * What gauges show.
 *
 * @param tiers a reading for each queue and priority that holds unfinished jobs
 * @param complete whether no queue was left out for its cost
 * @param known the queues of which nothing was left out, if others were
 */
public record GaugeReading(List<TierReading> tiers, boolean complete, Set<String> known) {

	/**
	 * Return whether a queue holds nothing but what is here.
	 * @param queue the name of the queue
	 * @return {@code false} if it may hold more
	 */
	public boolean isAllOf(String queue) {
		return this.complete || this.known.contains(queue);
	}

}
