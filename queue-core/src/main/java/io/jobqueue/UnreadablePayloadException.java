package io.jobqueue;

/**
 * Why an attempt failed whose payload could not be read: a property is missing or has
 * another type than the class that the handler takes. The handler was not called. Retry
 * policies see it.
 * <p>
 * Where the payload is JSON, the message names the property, but not what the payload
 * holds.
 */
@SuppressWarnings("serial")
public final class UnreadablePayloadException extends JobQueueException {

	/**
	 * Create an exception.
	 * @param type the name of the job's type
	 * @param reason what is wrong and where, or empty
	 * @param cause what the codec threw
	 */
	public UnreadablePayloadException(String type, String reason, Throwable cause) {
		super("The payload of a job of type '%s' cannot be read%s".formatted(type,
				reason.isEmpty() ? "" : ": " + reason), cause);
	}

}
