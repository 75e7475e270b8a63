package io.jobqueue.internal.store;

import java.util.List;

import io.jobqueue.QueuePause;

/**
 * Stores which queues and types are paused: workers do not claim their jobs. Each call is
 * a transaction of its own.
 */
public interface PauseStore {

	/**
	 * Return the pauses.
	 * @return the pauses, ordered by queue and type
	 */
	List<QueuePause> pauses();

	/**
	 * Pause a queue or a type.
	 * @param paused the queue or type
	 * @param operation the operation for the operator log; its operator is stored with
	 * the pause as well
	 * @return {@code false} if it was paused before
	 */
	boolean pause(PauseTarget paused, LoggedOperation operation);

	/**
	 * Resume a queue or a type.
	 * @param paused the queue or type
	 * @param operation the operation for the operator log
	 * @return {@code false} if it was not paused
	 */
	boolean resume(PauseTarget paused, LoggedOperation operation);

}
