package io.jobqueue.outbox;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Priority;

/**
 * Provides the queues and priorities of requests that name none.
 */
public interface Routes {

	/**
	 * Return the queue of the type's only handler.
	 * @param type the name of the type
	 * @return the queue's name, or {@code null} if there is no handler or more than one
	 */
	@Nullable String queueOfOnlyHandler(String type);

	/**
	 * Return the priority of jobs of a queue whose requests name none.
	 * @param queue the name of the queue
	 * @return the priority
	 */
	Priority defaultPriority(String queue);

}
