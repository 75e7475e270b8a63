package io.jobqueue.maintenance;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.LogText;
import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.MaintenanceStore.KeyPosition;
import io.jobqueue.store.MaintenanceStore.PurgePass;

/**
 * Removes, in small steps, what is over: jobs in the archive, windows in which keys stay
 * taken, and keys that nobody has any more.
 */
public final class Purge {

	private static final Logger logger = LoggerFactory.getLogger(Purge.class);

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	private @Nullable KeyPosition swept;

	/**
	 * Create a purge.
	 * @param store where jobs are removed
	 */
	public Purge(MaintenanceStore store) {
		this.store = store;
	}

	/**
	 * Do it once. Most keys are removed with their jobs; for those that were left, a part
	 * is looked at each time.
	 * @return how many jobs were removed
	 */
	public long runOnce() {
		long removed = 0;
		PurgePass pass;
		do {
			pass = this.store.purge(STEP);
			removed += pass.jobs();
		}
		while (pass.jobs() == STEP && !Thread.currentThread().isInterrupted());
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
