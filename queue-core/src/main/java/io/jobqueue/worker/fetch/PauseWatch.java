package io.jobqueue.worker.fetch;

/**
 * Looks whether what is served has to change, because something is paused or resumed.
 */
@FunctionalInterface
public interface PauseWatch {

	/**
	 * Call for a change if there has to be one.
	 * @param claiming whether there may be something to claim
	 * @return whether there has to be one
	 */
	boolean callForChange(boolean claiming);

}
