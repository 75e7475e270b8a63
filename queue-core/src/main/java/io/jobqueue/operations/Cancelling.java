package io.jobqueue.operations;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobCancelled;
import io.jobqueue.event.JobEvents;
import io.jobqueue.event.JobInfos;
import io.jobqueue.logging.JobLogStep;
import io.jobqueue.logging.JobMdc;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.OperationStore;
import io.jobqueue.store.OperationStore.BulkCancelResult;
import io.jobqueue.store.OperationStore.CancelResult;
import io.jobqueue.store.OperationStore.JobLocation;
import io.jobqueue.store.SearchStore.FoundJob;
import io.jobqueue.store.WakeUp.JobsAvailable;

/**
 * Cancels jobs, and tells of it.
 */
final class Cancelling {

	private static final Logger logger = LoggerFactory.getLogger(Cancelling.class);

	private final OperationStore store;

	private final JobSignals signals;

	private final JobEvents events;

	private final CancelledRetention retention;

	Cancelling(OperationParts parts) {
		this.store = parts.jobs();
		this.signals = parts.signals();
		this.events = parts.events();
		this.retention = parts.retention();
	}

	CancelOutcome cancel(UUID id) {
		JobLocation place = this.store.find(id);
		if (place == null) {
			return CancelOutcome.UNKNOWN;
		}
		return place.finished() ? CancelOutcome.ALREADY_FINISHED
				: outcome(id, this.store.cancel(id, this.retention.of(place.queue())));
	}

	private CancelOutcome outcome(UUID id, CancelResult cancellation) {
		if (cancellation.ended() != null) {
			tell(List.of(cancellation.ended()), cancellation.available());
			return CancelOutcome.CANCELLED;
		}
		if (cancellation.found()) {
			this.signals.requestCancel(id);
			return CancelOutcome.REQUESTED;
		}
		return CancelOutcome.ALREADY_FINISHED;
	}

	/**
	 * Cancel those that can be.
	 * @return how many were cancelled, or asked to end
	 */
	long cancel(Collection<FoundJob> jobs) {
		Map<UUID, @Nullable Duration> kept = new HashMap<>();
		jobs.forEach((job) -> kept.put(job.id(), this.retention.of(job.tier().queue())));
		BulkCancelResult cancellations = this.store.cancelAll(kept);
		cancellations.running().forEach(this.signals::requestCancel);
		tell(cancellations.ended(), cancellations.available());
		return (long) cancellations.running().size() + cancellations.ended().size();
	}

	private void tell(Collection<EndedJob> jobs, Collection<JobsAvailable> available) {
		jobs.forEach((job) -> JobMdc.within(job,
				() -> JobLogStep.CANCELLED.line(logger, Level.INFO).log("{} is cancelled", job)));
		if (this.events.areWanted(JobCancelled.class)) {
			this.events.publish(jobs.stream().map((job) -> new JobCancelled(JobInfos.of(job))).toList());
		}
		this.signals.publish(available);
	}

}
