package io.jobqueue.payload;

import io.jobqueue.JobQueueException;

/**
 * Thrown if a payload has no usable type name.
 */
@SuppressWarnings("serial")
public class InvalidTypeException extends JobQueueException {

	/**
	 * What is wrong with the type.
	 */
	private final String reason;

	InvalidTypeException(String reason) {
		super("The type " + reason);
		this.reason = reason;
	}

	/**
	 * Return what is wrong with the type and what to do.
	 * @return the rest of a sentence that begins with the type
	 */
	public String reason() {
		return this.reason;
	}

}
