package io.jobqueue.internal.worker.execution;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobResult;
import io.jobqueue.internal.store.ClaimedJob;

/**
 * The results of jobs that are steps of workflows.
 */
public interface StepResults {

	/**
	 * Return the result of a job with its value encoded, if the job is a step.
	 * @param job the job
	 * @param result the result
	 * @return the result; its value is a {@link io.jobqueue.internal.store.StepResult
	 * StepResult} if there is something to store
	 * @throws RuntimeException if the value cannot be encoded or is too large
	 */
	JobResult encode(ClaimedJob job, JobResult result);

	/**
	 * Read the result of another step of a job's workflow.
	 * @param job the job
	 * @param step the name of the step
	 * @param type the class of the result
	 * @param <T> the type of the result
	 * @return the result, {@code null} if there is none
	 * @throws IllegalStateException if the job is no step
	 * @throws IllegalArgumentException if there is no such step
	 */
	<T> @Nullable T read(ClaimedJob job, String step, Class<T> type);

}
