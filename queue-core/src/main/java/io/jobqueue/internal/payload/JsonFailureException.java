package io.jobqueue.internal.payload;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;

import org.springframework.util.ClassUtils;

import io.jobqueue.JobQueueException;

/**
 * Thrown if a payload cannot be read or written. The message names the place but not the
 * value, unlike Jackson's own messages, since exceptions are logged.
 */
@SuppressWarnings("serial")
public final class JsonFailureException extends JobQueueException {

	private static final int MAX_STEPS = 10;

	/**
	 * The remedy for a property whose value is lost.
	 */
	private static final String STORABLE = "Make it a component of a record, or give it a getter, and a setter or a"
			+ " parameter of the constructor, without access = WRITE_ONLY or READ_ONLY; exclude it with @JsonIgnore if"
			+ " handlers do not need it";

	private static final String ACYCLIC = "Enqueue an id or a record instead, or exclude the property with @JsonIgnore";

	/**
	 * The kind of failure and its place.
	 */
	private final String reason;

	private JsonFailureException(String reason, @Nullable Throwable cause) {
		super(reason, cause);
		this.reason = reason;
	}

	private JsonFailureException(JacksonException original, String place, String remedy, @Nullable Throwable cause) {
		super("%s at %s%s".formatted(original.getClass().getName(), place, remedy), cause);
		this.reason = "%s at %s%s".formatted(original.getClass().getSimpleName(), place, remedy);
		setStackTrace(original.getStackTrace());
	}

	/**
	 * The exception of a payload's own constructor is kept as the cause, as the
	 * application controls its message.
	 */
	static JsonFailureException reading(JacksonException original) {
		return new JsonFailureException(original, path(original.getPath()) + position(original.getLocation()),
				remedy(original), (original instanceof ValueInstantiationException) ? original.getCause() : null);
	}

	/**
	 * An argument of a method is read from a tree, where it has no position.
	 */
	private static String position(TokenStreamLocation location) {
		return (location.getLineNr() > 0)
				? ", line %s, column %s".formatted(location.getLineNr(), location.getColumnNr()) : "";
	}

	/**
	 * The exception of a payload's own method is kept as the cause.
	 */
	static JsonFailureException writing(JacksonException original) {
		List<Reference> cycle = cycle(original);
		return cycle.isEmpty() ? new JsonFailureException(original, path(original.getPath()), "", original.getCause())
				: new JsonFailureException("at %s: it refers to itself. %s".formatted(path(cycle), ACYCLIC),
						original.getCause());
	}

	/**
	 * Return the steps after which a payload is back at a value that it came from.
	 */
	private static List<Reference> cycle(JacksonException original) {
		List<Reference> path = original.getPath();
		Set<@Nullable Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
		for (Reference step : path) {
			if (!visited.add(step.from())) {
				return path.subList(0, visited.size());
			}
		}
		return original.getOriginalMessage().startsWith("Direct self-reference") ? path : List.of();
	}

	/**
	 * The values of a property would be lost, so that nothing is written.
	 */
	static JsonFailureException losing(String reason) {
		return new JsonFailureException(reason + ". " + STORABLE, null);
	}

	/**
	 * What was written cannot be read, so that it is not stored.
	 */
	static JsonFailureException unreadable(JsonFailureException original) {
		return new JsonFailureException("its JSON cannot be read again: " + original.reason, original);
	}

	/**
	 * Return a short description of the failure.
	 * @return the kind of failure, the path to the property and the remedy, if one is
	 * known
	 */
	public String reason() {
		return this.reason;
	}

	/**
	 * Jackson's own message may contain the value, so it is only used to distinguish
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
	 * Return a phrase that names the class of the property, or an empty string.
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
	 * The number of steps is limited, since the path of a cyclic payload has about 1,000.
	 */
	private static String path(List<Reference> references) {
		int steps = references.size();
		String path = references.stream()
			.limit(MAX_STEPS)
			.map(JsonFailureException::step)
			.collect(Collectors.joining("."));
		return (steps > MAX_STEPS) ? "'%s' and %s levels below".formatted(path, steps - MAX_STEPS)
				: "'%s'".formatted(path);
	}

	private static String step(Reference reference) {
		if (reference.getPropertyName() == null) {
			return "[%s]".formatted(reference.getIndex());
		}
		return isMap(reference.from()) ? "[a key]" : reference.getPropertyName();
	}

	/**
	 * The keys of a map are part of the payload and must not be shown, unlike names of
	 * properties.
	 */
	private static boolean isMap(@Nullable Object from) {
		return from instanceof Map || (from instanceof Class<?> type && Map.class.isAssignableFrom(type));
	}

}
