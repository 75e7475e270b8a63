package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobCancelled;
import io.jobqueue.internal.event.JobEvents;
import io.jobqueue.internal.event.JobInfos;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.CancelResult;

/**
 * Cancels the unclaimed jobs that have expired or have a cancel request.
 */
final class CancelSweep {

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	private final JobSignals signals;

	private final JobEvents events;

	private final Function<String, @Nullable Duration> retention;

	CancelSweep(MaintenanceStore store, JobSignals signals, JobEvents events,
			Function<String, @Nullable Duration> retention) {
		this.store = store;
		this.signals = signals;
		this.events = events;
		this.retention = retention;
	}

	/**
	 * Cancel all of them. Those that are locked are left to the next run.
	 */
	void run() {
		Map<UUID, String> jobs;
		do {
			jobs = this.store.findCancellable(STEP);
		}
		while (!jobs.isEmpty() && cancelAnyOf(jobs) && jobs.size() >= STEP);
	}

	private boolean cancelAnyOf(Map<UUID, String> jobs) {
		Map<UUID, @Nullable Duration> retentions = new HashMap<>();
		jobs.forEach((job, queue) -> retentions.put(job, this.retention.apply(queue)));
		CancelResult result = this.store.cancel(retentions);
		result.ended().forEach(Reaper::log);
		this.events.publish(result.ended().stream().map((job) -> new JobCancelled(JobInfos.of(job))).toList());
		this.signals.publish(result.available());
		this.signals.publishPredecessors(EndedJob.predecessors(result.ended()));
		return !result.ended().isEmpty();
	}

}
