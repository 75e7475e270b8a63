package io.jobqueue.observation;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;

/**
 * Resolves the names of queues and types, and reports which of them this node declares.
 * Names that it does not declare are not used as meter tags, so that the number of tag
 * values is bounded.
 */
public interface JobNames {

	/**
	 * Return the queue of a request.
	 * @param request the request
	 * @return the name of its queue
	 * @throws JobRejectedException if the request has no valid queue or type
	 */
	String queue(JobRequest request);

	/**
	 * Return the type of a request.
	 * @param request the request
	 * @return the name of its type
	 * @throws JobRejectedException if it has no valid type
	 */
	String type(JobRequest request);

	/**
	 * Return whether a handler or a setting of this node names a queue.
	 * @param queue the name of the queue
	 * @return {@code true} if this node declares it
	 */
	boolean declaresQueue(String queue);

	/**
	 * Return whether this node has a handler for a type.
	 * @param type the name of the type
	 * @return {@code true} if this node has a handler for it
	 */
	boolean declaresType(String type);

}
