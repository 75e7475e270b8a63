package io.jobqueue.internal.logging;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.slf4j.Logger;

import io.jobqueue.internal.store.FailureText;

/**
 * Logs the first failure of an activity and its recovery, and each failure with its stack
 * trace at DEBUG. A failure on an interrupted thread does not count, because a stop
 * interrupts what it does not wait for. Exceptions while logging a failure are
 * suppressed. Safe for use by several threads.
 */
public final class FailureLog {

	private static final long FIRST_DELAY_MILLIS = 200;

	private static final int MAX_DOUBLINGS = 6;

	private final Logger logger;

	private final String failing;

	private final String recovered;

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicBoolean unexpected = new AtomicBoolean();

	/**
	 * Create a log.
	 * @param logger the logger of the lines
	 * @param failing the text of the first failure, to which its cause is appended
	 * @param recovered the text of the recovery, to which the number of failures is
	 * appended
	 */
	public FailureLog(Logger logger, String failing, String recovered) {
		this.logger = logger;
		this.failing = failing;
		this.recovered = recovered;
	}

	/**
	 * Create the log of an activity that is retried until it succeeds.
	 * @param logger the logger of the lines
	 * @param activity the name of the activity at the beginning of a log message
	 * @return the log
	 */
	public static FailureLog of(Logger logger, String activity) {
		return new FailureLog(logger, activity + " failed; will retry", activity + " works again");
	}

	/**
	 * Note a failure.
	 * @param failure the failure
	 * @return the time to wait before the next try, at random between half of a delay and
	 * the delay, so that nodes do not retry at the same time. The delay doubles from 200
	 * ms to 12.8 s.
	 */
	public Duration failed(Throwable failure) {
		return failed(failure, false);
	}

	/**
	 * Note a failure that the activity does not expect. The first one since the last
	 * success is logged at ERROR with its stack trace, further ones as by
	 * {@link #failed(Throwable)}.
	 * @param failure the failure
	 * @return the time to wait before the next try, as of {@link #failed(Throwable)}
	 */
	public Duration failedUnexpectedly(Throwable failure) {
		return failed(failure, !isStopping() && !this.unexpected.getAndSet(true));
	}

	private static boolean isStopping() {
		return Thread.currentThread().isInterrupted();
	}

	private Duration failed(Throwable failure, boolean error) {
		int before = isStopping() ? this.failures.get() : this.failures.getAndIncrement();
		try {
			if (error) {
				this.logger.error("{}", this.failing, failure);
			}
			else {
				log(before == 0 && !isStopping(), failure);
			}
		}
		catch (RuntimeException | Error ex) {
			suppress(ex, failure);
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
	 * An exception cannot suppress itself.
	 */
	private static void suppress(Throwable ex, Throwable failure) {
		if (ex != failure) {
			failure.addSuppressed(ex);
		}
	}

	/**
	 * Return whether the last try failed.
	 * @return {@code true} if it failed
	 */
	public boolean isFailing() {
		return this.failures.get() > 0;
	}

	/**
	 * Note a success.
	 */
	public void succeeded() {
		if (isFailing()) {
			this.unexpected.set(false);
			this.logger.info("{} after {}", this.recovered, LogText.counted(this.failures.getAndSet(0), "failure"));
		}
	}

}
