package io.jobqueue.logging;

import org.slf4j.event.Level;

/**
 * How loud a line about a job is that has failed.
 */
public final class FailureLevel {

	/**
	 * One failure may be bad luck, and so may another.
	 */
	private static final int ALARMING_FAILURES = 3;

	private FailureLevel() {
	}

	/**
	 * Return the level of a line.
	 * @param failures how often the job has failed
	 * @param first the level of its first failures
	 * @return that, or {@code ERROR} from the third failure on
	 */
	public static Level of(int failures, Level first) {
		return (failures < ALARMING_FAILURES) ? first : Level.ERROR;
	}

}
