package io.jobqueue.internal.outbox;

import java.util.List;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;

/**
 * Finds the jobs that a published request becomes.
 */
@FunctionalInterface
public interface FanOut {

	/**
	 * Return the requests for a published one, in the caller's transaction.
	 * @param topic the topic
	 * @param published the published request
	 * @return the requests, empty if nothing is subscribed
	 * @throws JobRejectedException if it cannot be published
	 */
	List<JobRequest> requests(String topic, JobRequest published);

}
