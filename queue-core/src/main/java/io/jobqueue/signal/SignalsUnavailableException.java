package io.jobqueue.signal;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobQueueException;

/**
 * Thrown if signals of other nodes cannot be heard.
 */
@SuppressWarnings("serial")
public class SignalsUnavailableException extends JobQueueException {

	/**
	 * Create an exception.
	 * @param message why
	 * @param cause what led to it
	 */
	public SignalsUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
