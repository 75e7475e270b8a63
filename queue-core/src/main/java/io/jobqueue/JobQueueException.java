package io.jobqueue;

import org.jspecify.annotations.Nullable;

/**
 * Base of the exceptions that the queue throws.
 */
@SuppressWarnings("serial")
public class JobQueueException extends RuntimeException {

	/**
	 * Create an exception.
	 * @param message what is wrong and what to do
	 */
	public JobQueueException(String message) {
		super(message);
	}

	/**
	 * Create an exception with a cause.
	 * @param message what is wrong and what to do
	 * @param cause the cause
	 */
	public JobQueueException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
