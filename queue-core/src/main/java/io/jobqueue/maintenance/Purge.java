package io.jobqueue.maintenance;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.MaintenanceStore;

/**
 * Removes jobs from the archive whose retention is over, in small steps.
 */
public final class Purge {

	private static final Logger logger = LoggerFactory.getLogger(Purge.class);

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	/**
	 * Create a purge.
	 * @param store where jobs are removed
	 */
	public Purge(MaintenanceStore store) {
		this.store = store;
	}

	/**
	 * Do it once.
	 * @return how many jobs were removed
	 */
	public long runOnce() {
		long removed = 0;
		int step;
		do {
			step = this.store.purge(STEP);
			removed += step;
		}
		while (step == STEP && !Thread.currentThread().isInterrupted());
		if (removed > 0) {
			logger.debug("Removed {} jobs from the archive", removed);
		}
		return removed;
	}

}
