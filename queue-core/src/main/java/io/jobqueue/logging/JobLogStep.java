package io.jobqueue.logging;

import java.util.Locale;

import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What can happen to a job. Its log line carries the step as the key {@code job.step},
 * for structured logs.
 */
public enum JobLogStep {

	/**
	 * It was enqueued.
	 */
	ENQUEUED,

	/**
	 * A worker has it.
	 */
	CLAIMED,

	/**
	 * The work on it begins.
	 */
	BEGUN,

	/**
	 * It has succeeded.
	 */
	SUCCEEDED,

	/**
	 * An attempt failed, and it runs again.
	 */
	RETRIED,

	/**
	 * It is dead.
	 */
	DEAD,

	/**
	 * It runs later, uncounted.
	 */
	SNOOZED,

	/**
	 * It is cancelled.
	 */
	CANCELLED,

	/**
	 * Its worker has given it back, uncounted.
	 */
	RELEASED,

	/**
	 * Its worker has lost it before the outcome was written.
	 */
	LOST,

	/**
	 * It was taken away from its worker, which went silent or took too long.
	 */
	REAPED;

	/**
	 * Begin the log line of this step.
	 * @param logger where to log it
	 * @param level the level of the line
	 * @return the line, without its text
	 */
	public LoggingEventBuilder line(Logger logger, Level level) {
		return logger.atLevel(level).addKeyValue("job.step", name().toLowerCase(Locale.ROOT));
	}

}
