package io.jobqueue.harness;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.execution.StepResults;

/**
 * For jobs that are no steps of workflows.
 */
public enum NoStepResults implements StepResults {

	/**
	 * The only instance.
	 */
	INSTANCE;

	@Override
	public JobResult encode(ClaimedJob job, JobResult result) {
		return result;
	}

	@Override
	public <T> @Nullable T read(ClaimedJob job, String step, Class<T> type) {
		throw new IllegalStateException();
	}

}
