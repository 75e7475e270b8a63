package io.jobqueue;

import java.time.Duration;

/**
 * Why an attempt failed that did not end within its maximum run time. Its stack trace is
 * the one of the handler's thread at that moment. It is not thrown: retry policies see
 * it, and it is kept as the job's last error.
 */
@SuppressWarnings("serial")
public final class JobTimeoutException extends JobQueueException {

	/**
	 * Create an exception.
	 * @param runTime how long the attempt has been running
	 * @param thread the thread of the handler
	 */
	public JobTimeoutException(Duration runTime, Thread thread) {
		super("Timed out: the handler did not end within its maximum run time, and is interrupted after %s s in thread %s"
			.formatted(runTime.toMillis() / 1000.0, thread.getName()));
		setStackTrace(thread.getStackTrace());
	}

}
