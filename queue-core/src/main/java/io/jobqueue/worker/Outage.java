package io.jobqueue.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.slf4j.Logger;

import io.jobqueue.logging.LogText;
import io.jobqueue.store.FailureText;

/**
 * What repeatedly fails, and how long to wait before it is tried again. Only its
 * beginning and its end are logged, and each failure with its statement at DEBUG.
 */
final class Outage {

	private static final long FIRST_DELAY_MILLIS = 200;

	private static final int MAX_DOUBLINGS = 6;

	private final Logger logger;

	private final String activity;

	private int failures;

	Outage(Logger logger, String activity) {
		this.logger = logger;
		this.activity = activity;
	}

	/**
	 * Note a failure and return how long to wait, somewhere between half of the delay and
	 * the delay, so that nodes do not return together. A log that throws changes nothing.
	 */
	Duration failed(Throwable failure) {
		boolean first = this.failures++ == 0;
		try {
			log(first, failure);
		}
		catch (RuntimeException | Error ex) {
			failure.addSuppressed(ex);
		}
		long delay = FIRST_DELAY_MILLIS << Math.min(this.failures - 1, MAX_DOUBLINGS);
		return Duration.ofMillis(ThreadLocalRandom.current().nextLong(delay / 2, delay));
	}

	private void log(boolean first, Throwable failure) {
		if (first) {
			this.logger.warn("{} fails and is tried again until it succeeds: {}", this.activity,
					FailureText.of(failure));
		}
		this.logger.debug("{} fails", this.activity, failure);
	}

	boolean isOn() {
		return this.failures > 0;
	}

	void over() {
		if (isOn()) {
			this.logger.info("{} succeeds again after {}", this.activity, LogText.counted(this.failures, "failure"));
			this.failures = 0;
		}
	}

}
