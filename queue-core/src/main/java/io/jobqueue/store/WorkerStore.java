package io.jobqueue.store;

import java.util.List;
import java.util.UUID;

/**
 * The workers that a database knows to be alive.
 */
public interface WorkerStore {

	/**
	 * Tell that the worker is alive.
	 * @param worker the worker
	 * @param idle whether it has room in all its queues, so that it shares the polling
	 * @return what the database knows
	 */
	CheckIn checkIn(Worker worker, boolean idle);

	/**
	 * Tell that the worker serves something else. A worker that is not known stays so.
	 * @param worker the worker
	 */
	void change(Worker worker);

	/**
	 * Return the living workers that have registered other limits.
	 * @param worker the worker to compare with
	 * @return the others, by name
	 */
	List<WorkerLimits> withOtherLimits(Worker worker);

	/**
	 * Return what no worker may claim.
	 * @return what is paused
	 */
	PausedWork paused();

	/**
	 * Tell that the worker has stopped and holds no job.
	 * @param worker the id of the worker
	 */
	void checkOut(UUID worker);

}
