package io.jobqueue.payload;

import io.jobqueue.JobQueueException;

/**
 * Thrown if a payload has no usable type name.
 */
@SuppressWarnings("serial")
public class InvalidTypeException extends JobQueueException {

	/**
	 * The cause and the remedy, as the rest of a sentence.
	 */
	private final String reason;

	InvalidTypeException(String reason) {
		super("The type " + reason);
		this.reason = reason;
	}

	/**
	 * Return the cause and the remedy.
	 * @return the rest of a sentence that begins with the type
	 */
	public String reason() {
		return this.reason;
	}

}
