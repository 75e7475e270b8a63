package io.jobqueue.internal.signal;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQueueException;

/**
 * Thrown if signals of other nodes cannot be received.
 */
@SuppressWarnings("serial")
public class SignalsUnavailableException extends JobQueueException {

	/**
	 * Create an exception.
	 * @param message the reason
	 * @param cause the cause
	 */
	public SignalsUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
