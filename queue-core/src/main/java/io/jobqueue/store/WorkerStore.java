package io.jobqueue.store;

import java.util.UUID;

/**
 * The workers that a database knows to be alive.
 */
public interface WorkerStore {

	/**
	 * Tell that the worker is alive.
	 * @param worker the worker
	 * @return {@code false} if the database did not know the worker: this is its first
	 * time, or others took it for dead and have its jobs
	 */
	boolean checkIn(Worker worker);

	/**
	 * Tell that the worker has stopped and holds no job.
	 * @param worker the id of the worker
	 */
	void checkOut(UUID worker);

}
