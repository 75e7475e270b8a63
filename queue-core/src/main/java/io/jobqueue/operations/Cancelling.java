package io.jobqueue.operations;

import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobCancelled;
import io.jobqueue.event.JobEvents;
import io.jobqueue.event.JobInfos;
import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.Cancellation;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.JobPlace;
import io.jobqueue.store.OperationStore;

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
		JobPlace place = this.store.find(id);
		if (place == null) {
			return CancelOutcome.UNKNOWN;
		}
		return place.finished() ? CancelOutcome.ALREADY_FINISHED
				: outcome(id, this.store.cancel(id, this.retention.of(place.queue())));
	}

	private CancelOutcome outcome(UUID id, Cancellation cancellation) {
		if (cancellation.ended() != null) {
			tell(cancellation.ended(), cancellation);
			return CancelOutcome.CANCELLED;
		}
		if (cancellation.found()) {
			this.signals.requestCancel(id);
			return CancelOutcome.REQUESTED;
		}
		return CancelOutcome.ALREADY_FINISHED;
	}

	private void tell(EndedJob job, Cancellation cancellation) {
		logger.info("Job {} is cancelled", job.id());
		if (this.events.areWanted(JobCancelled.class)) {
			this.events.publish(List.of(new JobCancelled(JobInfos.of(job))));
		}
		if (!cancellation.arrivals().isEmpty()) {
			this.signals.publish(cancellation.arrivals());
		}
	}

}
