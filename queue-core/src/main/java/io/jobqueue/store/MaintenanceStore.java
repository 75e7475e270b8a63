package io.jobqueue.store;

/**
 * What has to be done in the tables now and then. Any node may call any of it at any
 * time.
 */
public interface MaintenanceStore {

	/**
	 * Take jobs away from workers that went silent or let a lease run out, up to a
	 * bounded number: those with attempts left are ready again, the others dead. Workers
	 * that went silent and hold nothing any more are forgotten.
	 * @return what was done
	 */
	ReaperPass reap();

	/**
	 * Remove jobs from the archive whose retention is over.
	 * @param limit how many at most
	 * @return how many were removed
	 */
	int purge(int limit);

}
