package io.jobqueue.payload;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.ValueInstantiationException;

import io.jobqueue.JobQueueException;

/**
 * Says where a payload cannot be read, but not what is there, as Jackson's own messages
 * do: exceptions end up in logs.
 */
@SuppressWarnings("serial")
final class UnreadableJsonException extends JobQueueException {

	UnreadableJsonException(JacksonException original) {
		super("%s at %s, line %d, column %d".formatted(original.getClass().getName(), original.getPathReference(),
				original.getLocation().getLineNr(), original.getLocation().getColumnNr()), causeOfItsOwn(original));
		setStackTrace(original.getStackTrace());
	}

	/**
	 * What the payload's own constructor throws is for its author to word.
	 */
	private static @Nullable Throwable causeOfItsOwn(JacksonException original) {
		return (original instanceof ValueInstantiationException) ? original.getCause() : null;
	}

}
