package io.jobqueue.operations;

import java.util.List;
import java.util.UUID;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.CancelOutcome;
import io.jobqueue.JobCancelled;
import io.jobqueue.context.JobMdc;
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
public final class Cancelling {

	private static final Logger logger = LoggerFactory.getLogger(Cancelling.class);

	private final OperationStore store;

	private final JobSignals signals;

	private final JobEvents events;

	private final CancelledRetention retention;

	/**
	 * Create it.
	 * @param store where jobs are cancelled
	 * @param signals where requests, and the jobs that follow, are told
	 * @param events where cancellations are told
	 * @param retention how long cancelled jobs are kept
	 */
	public Cancelling(OperationStore store, JobSignals signals, JobEvents events, CancelledRetention retention) {
		this.store = store;
		this.signals = signals;
		this.events = events;
		this.retention = retention;
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
		JobMdc.within(job, () -> logger.info("{} is cancelled", job));
		if (this.events.areWanted(JobCancelled.class)) {
			this.events.publish(List.of(new JobCancelled(JobInfos.of(job))));
		}
		this.signals.publish(cancellation.arrivals());
	}

}
