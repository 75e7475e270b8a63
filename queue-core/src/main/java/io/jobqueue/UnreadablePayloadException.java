package io.jobqueue;

/**
 * The failure of an attempt whose payload cannot be read: a property is missing, or has
 * another type than in the class of the handler's parameter. The handler was not called.
 * Retry policies receive it.
 * <p>
 * If the payload is JSON, the message names the property, but contains no values.
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
