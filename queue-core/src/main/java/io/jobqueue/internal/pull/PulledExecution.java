package io.jobqueue.internal.pull;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQueueException;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.execution.Leases;
import io.jobqueue.internal.worker.execution.OutcomePolicy;

/**
 * The execution of a job that a thread of the application has pulled.
 */
final class PulledExecution extends JobExecution {

	private final CompletionRecorder recorder;

	private final PulledExecutions executions;

	PulledExecution(BufferedJob job, Leases leases, CompletionRecorder recorder, PulledExecutions executions) {
		super(job, leases);
		this.recorder = recorder;
		this.executions = executions;
	}

	/**
	 * End the execution and wait until its outcome is recorded.
	 * @param outcome supplies the outcome
	 * @param cause the exception that led to the outcome, {@code null} if there was none
	 * @throws JobQueueException if the execution has ended, the claim was lost, or the
	 * application stops before the outcome is recorded
	 */
	void end(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		if (!decide()) {
			throw lost();
		}
		try {
			check(this.recorder.complete(completion(outcome, cause)));
		}
		finally {
			this.executions.remove(this);
		}
	}

	private void check(@Nullable Boolean written) {
		if (written == null) {
			throw new JobQueueException(
					"Could not record the outcome of %s before the application stopped".formatted(job()));
		}
		if (!written) {
			throw lost();
		}
	}

	/**
	 * End the execution without waiting until its outcome is recorded. The caller must
	 * have called {@link #decide} successfully.
	 */
	void endFor(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		try {
			this.recorder.submit(completion(outcome, cause));
		}
		finally {
			this.executions.remove(this);
		}
	}

	/**
	 * Release the job, unless the execution has ended.
	 */
	void release() {
		if (decide()) {
			endFor(() -> OutcomePolicy.released(job()), null);
		}
	}

}
