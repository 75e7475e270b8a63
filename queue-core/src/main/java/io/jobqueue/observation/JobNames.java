package io.jobqueue.observation;

import io.jobqueue.JobRejectedException;
import io.jobqueue.JobRequest;

/**
 * Names of queues and types, and which of them this node declares. Others do not become
 * keys of low cardinality, so that tags of meters stay bounded.
 */
public interface JobNames {

	/**
	 * Return where a request leads.
	 * @param request the request
	 * @return the name of its queue
	 * @throws JobRejectedException if it names none
	 */
	String queue(JobRequest request);

	/**
	 * Return what a request asks for.
	 * @param request the request
	 * @return the name of its type
	 * @throws JobRejectedException if it has none
	 */
	String type(JobRequest request);

	/**
	 * Return whether a queue is one of this node's handlers or settings.
	 * @param queue the name of the queue
	 * @return {@code true} if its name is bounded
	 */
	boolean declaresQueue(String queue);

	/**
	 * Return whether this node has a handler for a type.
	 * @param type the name of the type
	 * @return {@code true} if its name is bounded
	 */
	boolean declaresType(String type);

}
