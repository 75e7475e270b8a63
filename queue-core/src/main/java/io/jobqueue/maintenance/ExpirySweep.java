package io.jobqueue.maintenance;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.JobCancelled;
import io.jobqueue.event.JobEvents;
import io.jobqueue.event.JobInfos;
import io.jobqueue.logging.JobLogStep;
import io.jobqueue.logging.JobMdc;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.MaintenanceStore;
import io.jobqueue.store.MaintenanceStore.ExpiryResult;

/**
 * Cancels the jobs that have not begun before they expired.
 */
final class ExpirySweep {

	private static final Logger logger = LoggerFactory.getLogger(ExpirySweep.class);

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	private final JobSignals signals;

	private final JobEvents events;

	private final Function<String, @Nullable Duration> retention;

	ExpirySweep(MaintenanceStore store, JobSignals signals, JobEvents events,
			Function<String, @Nullable Duration> retention) {
		this.store = store;
		this.signals = signals;
		this.events = events;
		this.retention = retention;
	}

	/**
	 * Cancel all expired jobs. Those that are locked are left to the next run.
	 */
	void run() {
		Map<UUID, String> expired;
		do {
			expired = this.store.findExpired(STEP);
		}
		while (!expired.isEmpty() && endAnyOf(expired) && expired.size() == STEP);
	}

	private boolean endAnyOf(Map<UUID, String> jobs) {
		Map<UUID, @Nullable Duration> kept = new HashMap<>();
		jobs.forEach((job, queue) -> kept.put(job, this.retention.apply(queue)));
		ExpiryResult result = this.store.expire(kept);
		result.ended().forEach(ExpirySweep::log);
		this.events.publish(result.ended().stream().map((job) -> new JobCancelled(JobInfos.of(job))).toList());
		this.signals.publish(result.available());
		this.signals.publishPredecessors(EndedJob.predecessors(result.ended()));
		return !result.ended().isEmpty();
	}

	private static void log(EndedJob job) {
		JobMdc.within(job, () -> JobLogStep.CANCELLED.line(logger, Level.INFO)
			.log("{} is cancelled: it has expired before it began", job));
	}

}
