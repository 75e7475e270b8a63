package io.jobqueue.internal.worker.execution;

import java.util.function.Function;

import io.jobqueue.JobResult;
import io.jobqueue.internal.store.Outcome.Completed;

/**
 * Runs the handlers of transactional jobs.
 */
interface JobTransaction {

	/**
	 * Run a handler, and complete its job if the result is a {@link JobResult.Success}.
	 * Any other end rolls back what the handler has written.
	 * @param handler the handler
	 * @param completion returns the completion of the job
	 * @param execution the attempt
	 * @return the result of the handler
	 * @throws Throwable what the handler throws, or the failure of the transaction
	 */
	JobResult run(Handler handler, Function<JobResult.Success, Completed> completion, JobExecution execution)
			throws Throwable;

	/**
	 * Calls the handler of a job.
	 */
	@FunctionalInterface
	interface Handler {

		JobResult handle() throws Throwable;

	}

}
