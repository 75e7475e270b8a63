package io.jobqueue.internal.payload;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.GenericTypeResolver;

import io.jobqueue.JobContext;
import io.jobqueue.JobRejectedException;
import io.jobqueue.UnreadablePayloadException;

/**
 * Converts the arguments of a method to a JSON object and back. Each argument is written
 * and read by the generic type of its parameter, and has its name. The context of the job
 * is left out.
 */
public final class MethodArguments {

	private final JsonMapper mapper;

	private final Method method;

	private final List<JavaType> types;

	/**
	 * Create the arguments of a method.
	 * @param mapper the mapper of payloads
	 * @param method the method, whose class file has the names of its parameters
	 * @param beanClass the class that declares or inherits it
	 */
	public MethodArguments(JsonMapper mapper, Method method, Class<?> beanClass) {
		this.mapper = mapper;
		this.method = method;
		this.types = Arrays.stream(method.getGenericParameterTypes())
			.map((type) -> mapper.constructType(GenericTypeResolver.resolveType(type, beanClass)))
			.toList();
	}

	/**
	 * Return the method.
	 * @return the method whose parameters name the arguments
	 */
	public Method method() {
		return this.method;
	}

	/**
	 * Return the types of all parameters.
	 * @return the types in the order of the parameters
	 */
	public List<JavaType> types() {
		return this.types;
	}

	/**
	 * Write the arguments of a call.
	 * @param arguments the arguments
	 * @return the payload
	 * @throws JobRejectedException if an argument cannot be written; it names the
	 * parameter
	 */
	public ObjectNode write(@Nullable Object[] arguments) {
		ObjectNode payload = this.mapper.createObjectNode();
		for (int index = 0; index < arguments.length; index++) {
			if (isStored(index)) {
				payload.set(name(index), write(index, arguments[index]));
			}
		}
		return payload;
	}

	private JsonNode write(int index, @Nullable Object argument) {
		try {
			return this.mapper.writerFor(this.types.get(index)).valueToTree(argument);
		}
		catch (JacksonException ex) {
			JsonFailureException failure = JsonFailureException.writing(inParameter(index, ex));
			throw new JobRejectedException(
					name(index), "of %s.%s cannot be serialized: %s"
						.formatted(this.method.getDeclaringClass().getName(), this.method.getName(), failure.reason()),
					failure);
		}
	}

	/**
	 * Read the arguments of a call.
	 * @param payload the payload
	 * @param job the context of the job
	 * @return the arguments
	 * @throws UnreadablePayloadException if an argument cannot be read, or a primitive
	 * parameter has no value; it names the parameter
	 */
	public @Nullable Object[] read(ObjectNode payload, JobContext job) {
		@Nullable Object[] arguments = new Object[this.types.size()];
		for (int index = 0; index < arguments.length; index++) {
			arguments[index] = isStored(index) ? read(index, payload.path(name(index)), job) : job;
		}
		return arguments;
	}

	private @Nullable Object read(int index, JsonNode stored, JobContext job) {
		try {
			return this.mapper.readerFor(this.types.get(index))
				.readValue(stored.isMissingNode() ? this.mapper.nullNode() : stored);
		}
		catch (JacksonException ex) {
			JsonFailureException failure = JsonFailureException.reading(inParameter(index, ex));
			throw new UnreadablePayloadException(job.type(), failure.reason(), failure);
		}
	}

	private JacksonException inParameter(int index, JacksonException failure) {
		return failure.prependPath(this.method.getDeclaringClass(), name(index));
	}

	private boolean isStored(int index) {
		return !this.types.get(index).hasRawClass(JobContext.class);
	}

	private String name(int index) {
		return this.method.getParameters()[index].getName();
	}

}
