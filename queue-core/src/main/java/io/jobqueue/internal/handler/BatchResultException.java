package io.jobqueue.internal.handler;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQueueException;

/**
 * Thrown if a call does not return one result for each of its jobs.
 */
@SuppressWarnings("serial")
public final class BatchResultException extends JobQueueException {

	private BatchResultException(String message) {
		super(message);
	}

	/**
	 * Check the results of a call.
	 * @param source what has returned them, for the message
	 * @param jobs the number of jobs
	 * @param results the results
	 * @return the results
	 * @throws BatchResultException if there is not one result for each job
	 */
	static List<?> check(String source, int jobs, @Nullable List<?> results) {
		if (results == null || results.size() != jobs) {
			throw new BatchResultException(
					"%s returned %s for %s in one call: return one JobResult for each job, in order".formatted(source,
							(results != null) ? counted(results.size(), "result") : "null", counted(jobs, "job")));
		}
		for (int index = 0; index < jobs; index++) {
			if (results.get(index) == null) {
				throw new BatchResultException("%s returned null as result %s of %s: return JobResult.success()"
					.formatted(source, index + 1, jobs));
			}
		}
		return results;
	}

	private static String counted(int number, String noun) {
		return number + " " + noun + ((number != 1) ? "s" : "");
	}

}
