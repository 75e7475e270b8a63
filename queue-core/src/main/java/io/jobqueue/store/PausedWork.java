package io.jobqueue.store;

import java.util.Set;

/**
 * What no worker may claim, as one moment saw it.
 *
 * @param paused what is paused
 * @param number what {@link CheckIn#pauses()} is as long as nothing else is paused
 */
public record PausedWork(Set<Paused> paused, long number) {

	/**
	 * Nothing is paused.
	 */
	public static final PausedWork NONE = new PausedWork(Set.of(), 0);

}
