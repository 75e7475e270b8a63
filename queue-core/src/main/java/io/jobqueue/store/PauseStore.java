package io.jobqueue.store;

import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.QueuePause;

/**
 * What no worker claims until it is resumed. Each call is a transaction of its own.
 */
public interface PauseStore {

	/**
	 * Return what is paused.
	 * @return the pauses, by queue and type
	 */
	List<QueuePause> pauses();

	/**
	 * Pause something.
	 * @param paused what
	 * @param by who does so, {@code null} if that is not known
	 * @return whether it was not paused before
	 */
	boolean pause(PauseTarget paused, @Nullable String by);

	/**
	 * Resume something.
	 * @param paused what
	 * @return whether it was paused
	 */
	boolean resume(PauseTarget paused);

}
