package io.jobqueue;

/**
 * An attempt that failed.
 *
 * @param job the job
 * @param exception what the handler threw, or why it could not be called
 * @param number the number of the failure, from 1; expected failures and all others are
 * counted separately
 */
public record JobFailure(JobContext job, Throwable exception, int number) {

	/**
	 * Create a failure whose number is that of the attempt.
	 * @param job the job
	 * @param exception what the handler threw, or why it could not be called
	 */
	public JobFailure(JobContext job, Throwable exception) {
		this(job, exception, job.attempt());
	}

}
