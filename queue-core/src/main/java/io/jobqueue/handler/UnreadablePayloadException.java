package io.jobqueue.handler;

import io.jobqueue.JobQueueException;

/**
 * Fails an attempt whose payload the codec cannot read.
 */
@SuppressWarnings("serial")
public class UnreadablePayloadException extends JobQueueException {

	UnreadablePayloadException(String type, Throwable cause) {
		super("The payload of a job of type '%s' cannot be read".formatted(type), cause);
	}

}
