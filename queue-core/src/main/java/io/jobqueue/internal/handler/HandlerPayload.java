package io.jobqueue.internal.handler;

import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.BaseStream;

import org.springframework.util.ClassUtils;

import io.jobqueue.JobRequest;
import io.jobqueue.internal.payload.JobTypes;

/**
 * Rejects payload classes of handlers for which no job can exist.
 */
final class HandlerPayload {

	private HandlerPayload() {
	}

	/**
	 * Check the payload of a handler method.
	 * @param handler the subject of a sentence about the handler
	 * @param payloadClass the class of its payload parameter
	 * @param type the type that its annotation names, or empty
	 * @throws InvalidHandlerException if no job can have such a payload
	 */
	static void check(String handler, Class<?> payloadClass, String type) {
		rejectSeveral(handler, payloadClass);
		rejectNameless(handler, payloadClass, type);
		rejectAbstract(handler, payloadClass);
		if (!type.isEmpty() && JobTypes.namesItself(payloadClass)) {
			throw new InvalidHandlerException(
					"%s has type = \"%s\", but its payload's class %s names the type".formatted(handler, type,
							payloadClass.getName()),
					"Remove type = \"%s\", or put @JobType(\"%s\") on %s".formatted(type, type,
							payloadClass.getSimpleName()));
		}
	}

	private static void rejectSeveral(String handler, Class<?> payloadClass) {
		if (Collection.class.isAssignableFrom(payloadClass) || BaseStream.class.isAssignableFrom(payloadClass)) {
			throw new InvalidHandlerException(
					"%s takes %s, but a handler takes a single payload".formatted(handler,
							JobTypes.withArticle(payloadClass)),
					"Take a record, and enqueue one job per element with enqueueAll. To handle several jobs in one call, take a List of the record and set batchSize");
		}
	}

	private static void rejectNameless(String handler, Class<?> payloadClass, String type) {
		if (!JobTypes.namesItself(payloadClass) && type.isEmpty()) {
			throw new InvalidHandlerException(
					"%s takes %s, whose class does not name the job type".formatted(handler,
							JobTypes.withArticle(payloadClass)),
					"Name the type with @JobHandler(type = …), and with JobRequest.of(queue, payload).type(…) when enqueueing");
		}
		if (payloadClass == Optional.class || payloadClass == JobRequest.class || payloadClass == Object.class
				|| payloadClass.isArray() || ClassUtils.isPrimitiveOrWrapper(payloadClass)) {
			throw new InvalidHandlerException(
					"%s takes %s, which cannot be a payload".formatted(handler, payloadClass.getTypeName()),
					"Take a record or another class of the application, and enqueue that");
		}
	}

	/**
	 * Abstract classes are rejected even if Jackson's annotations distinguish their
	 * subclasses: the type of a job is the name of the class that was enqueued. That of
	 * an enum's constants is the enum.
	 */
	static void rejectAbstract(String handler, Class<?> payloadClass) {
		boolean isAbstract = Modifier.isAbstract(payloadClass.getModifiers()) && !payloadClass.isPrimitive()
				&& !payloadClass.isArray() && !payloadClass.isEnum();
		if (isAbstract && JobTypes.namesItself(payloadClass)) {
			throw new InvalidHandlerException(
					"%s takes the %s %s, but the concrete class of a payload names the type of its job".formatted(
							handler, payloadClass.isInterface() ? "interface" : "abstract class",
							payloadClass.getName()),
					"Write a handler for each concrete class, or take one record that holds what differs");
		}
	}

}
