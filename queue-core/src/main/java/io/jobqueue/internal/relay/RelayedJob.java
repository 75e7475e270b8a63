package io.jobqueue.internal.relay;

import java.time.Duration;
import java.util.Set;

import io.jobqueue.JobResult;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.completion.Completion;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.execution.OutcomePolicy;

/**
 * A job that is being sent to a broker. The first outcome counts.
 */
public final class RelayedJob extends JobExecution {

	private final WorkerRuntime runtime;

	private final Set<RelayedJob> open;

	RelayedJob(BufferedJob job, WorkerRuntime runtime, Set<RelayedJob> open) {
		super(job, runtime.leases());
		this.runtime = runtime;
		this.open = open;
		open.add(this);
	}

	/**
	 * The broker has acknowledged the job: it has succeeded.
	 */
	public void acknowledged() {
		if (decide()) {
			end(completion(() -> this.runtime.outcomes().of(this, JobResult.success()), null));
		}
	}

	/**
	 * The broker has refused the job: the attempt has failed.
	 * @param cause the reason
	 */
	public void refused(Throwable cause) {
		if (decide()) {
			this.runtime.mdc().within(job(), () -> end(completion(() -> failed(cause), cause)));
		}
	}

	private Outcome failed(Throwable cause) {
		return this.runtime.outcomes().failed(this, cause, null, AttemptOptions.NONE);
	}

	/**
	 * Release the job, which was not sent or whose worker stops. The attempt is not
	 * counted, and the job is claimed again at once.
	 */
	public void release() {
		if (decide()) {
			end(uncounted(OutcomePolicy.released(job())));
		}
	}

	/**
	 * Postpone the job, which may have been sent or not, so that others precede it if it
	 * is the only one that fails. The attempt is not counted. Later jobs of its ordering
	 * key wait for it.
	 * @param delay the time until it is sent again
	 */
	public void postpone(Duration delay) {
		if (decide()) {
			end(uncounted(new Snoozed(job().id(), job().claim(), delay)));
		}
	}

	/**
	 * Release the job if its lease is over.
	 */
	void releaseOverdue() {
		if (timesOut()) {
			end(uncounted(OutcomePolicy.released(job())));
		}
	}

	private Completion uncounted(Outcome outcome) {
		return new Completion(job(), outcome, null, null);
	}

	private void end(Completion completion) {
		try {
			this.runtime.batcher().submit(completion);
		}
		finally {
			this.open.remove(this);
		}
	}

}
