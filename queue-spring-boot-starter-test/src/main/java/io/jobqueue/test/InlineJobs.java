package io.jobqueue.test;

import io.jobqueue.JobRequest;

/**
 * A bean that decides which jobs run on the enqueuing thread, after its commit. Without
 * such a bean, {@code jobqueue.test.inline} decides for all jobs.
 */
@FunctionalInterface
public interface InlineJobs {

	/**
	 * Return whether a job runs inline.
	 * @param request the request, after all interceptors
	 * @return {@code true} if it runs inline as soon as it is due
	 */
	boolean runsInline(JobRequest request);

}
