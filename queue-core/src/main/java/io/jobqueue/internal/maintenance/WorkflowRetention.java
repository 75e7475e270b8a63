package io.jobqueue.internal.maintenance;

import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.store.WorkflowStore;

/**
 * Deletes, {@value #STEP} at a time, instances of workflows after their retention, with
 * their steps.
 */
public final class WorkflowRetention {

	private static final Logger logger = LoggerFactory.getLogger(WorkflowRetention.class);

	private static final int STEP = 1_000;

	private final WorkflowStore store;

	private final Duration retention;

	/**
	 * Create it.
	 * @param store deletes instances
	 * @param retention the time since their end
	 */
	public WorkflowRetention(WorkflowStore store, Duration retention) {
		this.store = store;
		this.retention = retention;
	}

	/**
	 * Run once.
	 */
	public void runOnce() {
		long removed = 0;
		int step;
		do {
			step = this.store.purge(this.retention, STEP);
			removed += step;
		}
		while (step == STEP && !Thread.currentThread().isInterrupted());
		if (removed > 0) {
			logger.debug("Removed {} of workflows", LogText.counted(removed, "instance"));
		}
	}

}
