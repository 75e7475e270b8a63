package io.jobqueue.store;

import java.util.List;

/**
 * What has to be done in the tables now and then. Any node may call any of it at any
 * time.
 */
public interface MaintenanceStore {

	/**
	 * Take jobs away from workers that went silent or let a lease run out, up to a
	 * bounded number: those with attempts left are ready again, the others dead.
	 * @return what was taken, empty if there was nothing
	 */
	List<ReapedJobs> reap();

	/**
	 * Remove workers that went silent and hold nothing any more.
	 * @return the names of the removed workers
	 */
	List<String> forgetSilentWorkers();

	/**
	 * Remove jobs from the archive whose retention is over.
	 * @param limit how many at most
	 * @return how many were removed
	 */
	int purge(int limit);

}
