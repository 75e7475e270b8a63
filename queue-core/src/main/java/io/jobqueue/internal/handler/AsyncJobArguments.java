package io.jobqueue.internal.handler;

import java.io.Serializable;
import java.lang.reflect.Parameter;
import java.util.Calendar;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

import io.jobqueue.JobContext;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.MethodArguments;
import io.jobqueue.internal.payload.PayloadPart;
import io.jobqueue.internal.payload.PayloadReader;

/**
 * Refuses parameters whose arguments a job would not bring back as they were.
 */
final class AsyncJobArguments {

	private static final String ENTITY = "jakarta.persistence.Entity";

	private final String handler;

	private final JacksonPayloadCodec json;

	/**
	 * Create it.
	 * @param handler the subject of a sentence about the method
	 * @param json writes and reads the arguments
	 */
	AsyncJobArguments(String handler, JacksonPayloadCodec json) {
		this.handler = handler;
		this.json = json;
	}

	/**
	 * Check the parameters of a method. The context of the job is not stored.
	 */
	void check(MethodArguments arguments) {
		for (int index = 0; index < arguments.types().size(); index++) {
			JavaType type = arguments.types().get(index);
			if (!type.hasRawClass(JobContext.class)) {
				check(arguments.method().getParameters()[index], type);
			}
		}
	}

	private void check(Parameter parameter, JavaType type) {
		if (!parameter.isNamePresent()) {
			throw new InvalidHandlerException(
					"%s has parameters whose names are missing in its class file".formatted(this.handler),
					"Compile with '-parameters': the arguments are stored by these names");
		}
		String subject = "%s has the parameter '%s' of type %s".formatted(this.handler, parameter.getName(),
				parameter.getParameterizedType().getTypeName());
		List<PayloadPart> parts = this.json.parts(type);
		parts.forEach((part) -> rejectLossy(subject, part));
		parts.forEach((part) -> rejectUnreadable(subject, part));
	}

	private static void rejectLossy(String subject, PayloadPart part) {
		if (isEntity(part)) {
			throw new InvalidHandlerException(
					"%s with %s, an entity, which may have changed when the job runs".formatted(subject, name(part)),
					"Pass the id of the entity, and load it in the method");
		}
		String loss = loss(part);
		if (loss != null) {
			throw new InvalidHandlerException(
					"%s, but JSON does not bring %s back: it loses %s".formatted(subject, name(part), loss),
					"Use records and the simple types of the JDK for arguments");
		}
	}

	private void rejectUnreadable(String subject, PayloadPart part) {
		String reason = this.json.lost(part.type());
		if (reason != null) {
			throw new InvalidHandlerException(
					"%s, which can be serialized but not deserialized: %s".formatted(subject, reason),
					PayloadReader.READABLE);
		}
	}

	private static String name(PayloadPart part) {
		String type = part.type().getRawClass().getName();
		return (part.property() != null) ? "%s (%s)".formatted(part.property(), type) : type;
	}

	private static boolean isEntity(PayloadPart part) {
		return MergedAnnotations.from(part.type().getRawClass(), SearchStrategy.SUPERCLASS).isPresent(ENTITY);
	}

	/**
	 * Return what is lost of values that Jackson writes and reads without an error.
	 */
	private static @Nullable String loss(PayloadPart part) {
		Class<?> type = part.type().getRawClass();
		return part.restored() ? null
				: Loss.ALL.stream().filter((each) -> each.appliesTo(type)).map(Loss::loss).findFirst().orElse(null);
	}

	/**
	 * What is lost of the values of a type.
	 *
	 * @param type the type
	 * @param exact whether subtypes keep it
	 * @param loss what is lost
	 */
	private record Loss(Class<?> type, boolean exact, String loss) {

		static final List<Loss> ALL = List.of(new Loss(Object.class, true, "the class of a value"),
				new Loss(Serializable.class, true, "the class of a value"),
				new Loss(Number.class, true, "the class of a value"),
				new Loss(Throwable.class, false, "the class of an exception"),
				new Loss(Calendar.class, false, "the time zone"), new Loss(Pattern.class, true, "the flags"),
				new Loss(AutoCloseable.class, false, "the content"));

		boolean appliesTo(Class<?> given) {
			return this.exact ? this.type == given : this.type.isAssignableFrom(given);
		}

	}

}
