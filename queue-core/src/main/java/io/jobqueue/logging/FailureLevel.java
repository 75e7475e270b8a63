package io.jobqueue.logging;

import org.slf4j.event.Level;

/**
 * Determines the level of log lines about failed jobs.
 */
public final class FailureLevel {

	/**
	 * The number of failures from which on the level is ERROR; fewer may be transient.
	 */
	private static final int ALARMING_FAILURES = 3;

	private FailureLevel() {
	}

	/**
	 * Return the level of a line.
	 * @param failures the number of failures of the job
	 * @param first the level of the first two failures
	 * @return the level, {@code ERROR} from the third failure on
	 */
	public static Level of(int failures, Level first) {
		return (failures < ALARMING_FAILURES) ? first : Level.ERROR;
	}

}
