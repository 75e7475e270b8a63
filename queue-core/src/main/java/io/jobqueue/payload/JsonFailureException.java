package io.jobqueue.payload;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

import org.springframework.util.ClassUtils;

import io.jobqueue.JobQueueException;

/**
 * Says where a payload cannot be read or written, but not what is there, as Jackson's own
 * messages do: exceptions end up in logs.
 */
@SuppressWarnings("serial")
public final class JsonFailureException extends JobQueueException {

	private static final int MAX_STEPS = 10;

	/**
	 * What is wrong, and where.
	 */
	private final String reason;

	private JsonFailureException(JacksonException original, String place, String remedy, @Nullable Throwable cause) {
		super("%s at %s%s".formatted(original.getClass().getName(), place, remedy), cause);
		this.reason = "%s at %s%s".formatted(original.getClass().getSimpleName(), place, remedy);
		setStackTrace(original.getStackTrace());
	}

	/**
	 * What the payload's own constructor throws is kept as the cause: its author chose
	 * the words.
	 */
	static JsonFailureException reading(JacksonException original) {
		return new JsonFailureException(original,
				"%s, line %d, column %d".formatted(path(original), original.getLocation().getLineNr(),
						original.getLocation().getColumnNr()),
				remedy(original), (original instanceof ValueInstantiationException) ? original.getCause() : null);
	}

	/**
	 * What the payload's own methods throw is kept as the cause.
	 */
	static JsonFailureException writing(JacksonException original) {
		return new JsonFailureException(original, path(original), "", original.getCause());
	}

	/**
	 * Return what is wrong and where, in short.
	 * @return a kind of failure and the path to the property
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Jackson's own text may contain the value, so that it is only used to distinguish
	 * failures.
	 */
	private static String remedy(JacksonException original) {
		if (original instanceof InvalidDefinitionException definition && definition.getType() != null) {
			return ": %s%s cannot be constructed. %s".formatted(definition.getType().getRawClass().getName(),
					owner(original), PayloadReader.READABLE);
		}
		Class<?> type = (original instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
		if (type == null) {
			return "";
		}
		return type.isPrimitive() && original.getOriginalMessage().startsWith("Cannot map `null`")
				? ": no value for the %s%s. Change its type to %s, or add a default".formatted(type.getName(),
						owner(original), ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName())
				: ": not a value of %s%s. Make it accept the payloads of older jobs, or give the new class a type of its own with @JobType"
					.formatted(type.getName(), owner(original));
	}

	/**
	 * Return which class has the property.
	 */
	private static String owner(JacksonException original) {
		List<Reference> path = original.getPath();
		Object from = path.isEmpty() ? null : path.get(path.size() - 1).from();
		if (from == null || path.get(path.size() - 1).getPropertyName() == null || isMap(from)) {
			return "";
		}
		return " in " + ((from instanceof Class<?> type) ? type : from.getClass()).getName();
	}

	/**
	 * A payload that refers to itself has a path of a thousand steps.
	 */
	private static String path(JacksonException original) {
		int steps = original.getPath().size();
		String path = original.getPath()
			.stream()
			.limit(MAX_STEPS)
			.map(JsonFailureException::step)
			.collect(Collectors.joining("."));
		return (steps > MAX_STEPS) ? "'%s' and %d levels below".formatted(path, steps - MAX_STEPS)
				: "'%s'".formatted(path);
	}

	private static String step(Reference reference) {
		if (reference.getPropertyName() == null) {
			return "[%d]".formatted(reference.getIndex());
		}
		return isMap(reference.from()) ? "[a key]" : reference.getPropertyName();
	}

	/**
	 * Its keys belong to the payload, the names of properties to its class.
	 */
	private static boolean isMap(@Nullable Object from) {
		return from instanceof Map || (from instanceof Class<?> type && Map.class.isAssignableFrom(type));
	}

}
