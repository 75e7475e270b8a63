package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

/**
 * Reads what the gauges show, at a cost that does not grow with the table.
 */
public interface GaugeStore {

	/**
	 * Look at what is urgent, without counting anything: the queues and priorities that
	 * hold unfinished jobs, their ages and failures; those of the given queues, and of
	 * others as many as can be read at a bounded cost.
	 * <p>
	 * Where a database makes looking expensive, a look may begin where the previous one
	 * found the oldest waiting job of each queue and priority. It then misses what
	 * appeared below that place, and priorities that are new, until the next full look
	 * about a minute later.
	 * @param queues names of queues
	 * @return a reading for each queue and priority, without counts
	 */
	GaugeReading look(Collection<String> queues);

	/**
	 * Look at what is urgent, and count jobs by state. Counts are missing where counting
	 * failed or took too long, so that what is urgent is known nevertheless.
	 * @param queues names of queues
	 * @return a reading for each queue and priority
	 */
	GaugeReading read(Collection<String> queues);

	/**
	 * Look which types fail: at the jobs with the most failures of each tier, which are
	 * 1,000, or its share of 10,000 where there are many tiers, but at least 10. A type
	 * that only others belong to is not found.
	 * @param tiers the queues and priorities
	 * @return the types among these jobs
	 */
	List<TypeFailures> failuresByType(Collection<Tier> tiers);

	/**
	 * Return the queues that living workers serve.
	 * @return names of queues
	 */
	List<String> servedQueues();

	/**
	 * Count the workers that are alive.
	 * @param name the name of a node
	 * @return how many there are, and how many of them have that name
	 */
	WorkerCount workers(String name);

}
