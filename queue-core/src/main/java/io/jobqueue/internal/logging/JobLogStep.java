package io.jobqueue.internal.logging;

import java.util.Locale;

import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The steps in the life of a job. Log lines contain the step as the key {@code job.step},
 * for structured logs.
 */
public enum JobLogStep {

	/**
	 * The job was enqueued.
	 */
	ENQUEUED,

	/**
	 * A worker has claimed the job.
	 */
	CLAIMED,

	/**
	 * An attempt of the job begins.
	 */
	BEGUN,

	/**
	 * The job has succeeded.
	 */
	SUCCEEDED,

	/**
	 * An attempt failed, and the job runs again.
	 */
	RETRIED,

	/**
	 * The job is dead.
	 */
	DEAD,

	/**
	 * The job runs again later, and the attempt is not counted.
	 */
	SNOOZED,

	/**
	 * The job is cancelled.
	 */
	CANCELLED,

	/**
	 * The worker has given the job back, and the attempt is not counted.
	 */
	RELEASED,

	/**
	 * The outcome was not written: the claim was lost, the database rejected the outcome,
	 * or the worker stopped.
	 */
	LOST,

	/**
	 * The reaper has ended the claim of the job: its worker sent no heartbeat within the
	 * timeout, or the lease ran out.
	 */
	REAPED;

	/**
	 * The number of failures of a job from which on the level of a line about it is
	 * ERROR; fewer may be transient.
	 */
	private static final int ALARMING_FAILURES = 3;

	/**
	 * Return the level of a line about a failure.
	 * @param failures the number of failures of the job
	 * @param first the level of the first two failures
	 * @return the level, {@code ERROR} from the third failure on
	 */
	public static Level levelOf(int failures, Level first) {
		return (failures < ALARMING_FAILURES) ? first : Level.ERROR;
	}

	/**
	 * Return the builder of a log line for this step.
	 * @param logger the logger of the line
	 * @param level the level of the line
	 * @return the builder, without a text
	 */
	public LoggingEventBuilder line(Logger logger, Level level) {
		return logger.atLevel(level).addKeyValue("job.step", name().toLowerCase(Locale.ROOT));
	}

}
