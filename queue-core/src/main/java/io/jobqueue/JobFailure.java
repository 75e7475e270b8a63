package io.jobqueue;

/**
 * An attempt that failed.
 *
 * @param job the job
 * @param exception what the handler threw, or why it could not be called
 * @param number which failure of its kind it is, from 1: expected ones and all others are
 * counted apart
 */
public record JobFailure(JobContext job, Throwable exception, int number) {

	/**
	 * Describe a failure of a job whose failures are all of one kind.
	 * @param job the job
	 * @param exception what the handler threw, or why it could not be called
	 */
	public JobFailure(JobContext job, Throwable exception) {
		this(job, exception, job.attempt());
	}

}
