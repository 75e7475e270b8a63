package io.jobqueue;

import java.time.Duration;

/**
 * The failure of an attempt that exceeded its maximum run time. Its stack trace is that
 * of the handler's thread at that time, empty for a {@linkplain JobPuller pulled} job. It
 * is not thrown: retry policies receive it, and it is stored as the job's last error.
 */
@SuppressWarnings("serial")
public final class JobTimeoutException extends JobQueueException {

	/**
	 * Create an exception.
	 * @param limit how long the attempt may take, and where that comes from
	 * @param runTime how long the attempt has been running
	 * @param thread the thread of the handler
	 */
	public JobTimeoutException(String limit, Duration runTime, Thread thread) {
		super("Timed out: the handler did not return within %s; it is interrupted after %s in thread %s"
			.formatted(limit, TimeText.of(runTime), thread.getName()));
		setStackTrace(thread.getStackTrace());
	}

	/**
	 * Create an exception for a job that was pulled and has not been ended.
	 * @param limit how long the attempt may take, and where that comes from
	 * @param runTime how long ago it was pulled
	 */
	public JobTimeoutException(String limit, Duration runTime) {
		super("Timed out: the job was pulled %s ago and was not ended within %s".formatted(TimeText.of(runTime),
				limit));
		setStackTrace(new StackTraceElement[0]);
	}

}
