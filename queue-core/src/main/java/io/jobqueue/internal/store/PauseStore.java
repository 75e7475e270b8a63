package io.jobqueue.internal.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

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
	 * @param by the name of the operator, {@code null} if unknown
	 * @return {@code false} if it was paused before
	 */
	boolean pause(PauseTarget paused, @Nullable String by);

	/**
	 * Resume a queue or a type.
	 * @param paused the queue or type
	 * @return {@code false} if it was not paused
	 */
	boolean resume(PauseTarget paused);

}
