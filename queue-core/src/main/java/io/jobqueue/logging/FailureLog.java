package io.jobqueue.logging;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;

import io.jobqueue.store.FailureText;

/**
 * Logs the first failure of an activity and its recovery, and each failure with its stack
 * trace at DEBUG. A log that throws changes nothing. Instances may be used by several
 * threads.
 */
public final class FailureLog {

	private static final long FIRST_DELAY_MILLIS = 200;

	private static final int MAX_DOUBLINGS = 6;

	private final Logger logger;

	private final String failing;

	private final String recovered;

	private final AtomicInteger failures = new AtomicInteger();

	/**
	 * Create a log.
	 * @param logger where the lines go
	 * @param failing the line of the first failure, which ends with its text
	 * @param recovered the line of the recovery, which ends with the number of failures
	 */
	public FailureLog(Logger logger, String failing, String recovered) {
		this.logger = logger;
		this.failing = failing;
		this.recovered = recovered;
	}

	/**
	 * Create the log of an activity that is tried again until it succeeds.
	 * @param logger where the lines go
	 * @param activity its name, at the beginning of a sentence
	 * @return the log
	 */
	public static FailureLog of(Logger logger, String activity) {
		return new FailureLog(logger, activity + " failed; will retry", activity + " works again");
	}

	/**
	 * Note a failure.
	 * @param failure the failure
	 * @return how long to wait before the next try: a random time between half of a delay
	 * and the delay, so that nodes do not return together. The delay doubles from 200
	 * milliseconds to 13 seconds.
	 */
	public Duration failed(Throwable failure) {
		int before = this.failures.getAndIncrement();
		try {
			log(before == 0, failure);
		}
		catch (RuntimeException | Error ex) {
			failure.addSuppressed(ex);
		}
		long delay = FIRST_DELAY_MILLIS << Math.min(before, MAX_DOUBLINGS);
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(delay / 2, delay));
	}

	private void log(boolean first, Throwable failure) {
		if (first) {
			this.logger.warn("{}: {}", this.failing, FailureText.of(failure));
		}
		this.logger.debug("{}", this.failing, failure);
	}

	/**
	 * Return whether the last try failed.
	 * @return whether it did
	 */
	public boolean isFailing() {
		return this.failures.get() > 0;
	}

	/**
	 * Note a success.
	 */
	public void succeeded() {
		if (isFailing()) {
			this.logger.info("{} after {}", this.recovered, LogText.counted(this.failures.getAndSet(0), "failure"));
		}
	}

}
