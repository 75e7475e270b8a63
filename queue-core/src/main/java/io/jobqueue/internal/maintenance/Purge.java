package io.jobqueue.internal.maintenance;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;
import io.jobqueue.internal.store.MaintenanceStore.PurgePass;

/**
 * Deletes, {@value #STEP} rows at a time, archived jobs after their retention, expired
 * deduplication windows, and keys that no live job has.
 */
public final class Purge {

	private static final Logger logger = LoggerFactory.getLogger(Purge.class);

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	private @Nullable KeyPosition swept;

	/**
	 * Create a purge.
	 * @param store deletes the rows
	 */
	public Purge(MaintenanceStore store) {
		this.store = store;
	}

	/**
	 * Run once. Most keys are deleted with their jobs; of the remaining ones, each run
	 * checks the next {@value #STEP}.
	 * @return the number of deleted jobs
	 */
	public long runOnce() {
		long removed = 0;
		PurgePass pass;
		do {
			pass = this.store.purge(STEP);
			removed += pass.jobs();
		}
		while (pass.isFull(STEP) && !Thread.currentThread().isInterrupted());
		if (removed > 0) {
			logger.debug("Removed {} from the archive", LogText.counted(removed, "job"));
		}
		if (pass.keys()) {
			purgeKeys();
		}
		return removed;
	}

	private void purgeKeys() {
		int ended;
		do {
			ended = this.store.endDedupes(STEP);
		}
		while (ended == STEP && !Thread.currentThread().isInterrupted());
		this.swept = this.store.sweepKeys(this.swept, STEP);
	}

}
