package io.jobqueue.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.StringUtils;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.payload.InvalidTypeException;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.retry.ExceptionTypes;

/**
 * Reads what a method handles from its parameters and annotation.
 */
final class HandlerSignature {

	private final JobTypes types;

	private final UnaryOperator<String> placeholders;

	HandlerSignature(JobTypes types, UnaryOperator<String> placeholders) {
		this.types = types;
		this.placeholders = placeholders;
	}

	HandlerDefinition define(String beanName, Class<?> beanClass, Method method, JobHandler annotation,
			@Nullable JobHandler onClass) {
		Parameter payload = payload(beanName, method);
		refuseAsynchronous(beanName, method);
		HandlerPayload.check(name(beanName, method), payload.getType(), annotation.type());
		if (annotation.delivery() == Delivery.TRANSACTIONAL) {
			HandlerPropagation.check(name(beanName, method), method, beanClass);
		}
		return new HandlerDefinition(new BeanMethod(beanName, method), payload.getParameterizedType(),
				queue(beanName, method, annotation, onClass, payload.getType()),
				type(beanName, method, annotation, payload.getType()), this.types.aliases(payload.getType()),
				annotation.delivery(), new ExceptionTypes(List.of(annotation.failOn())),
				new ExceptionTypes(List.of(annotation.succeedOn())), annotation.retryPolicy(),
				new HandlerOptions(name(beanName, method), this.placeholders).read(annotation));
	}

	private static Parameter payload(String beanName, Method method) {
		List<Parameter> payloads = Arrays.stream(method.getParameters())
			.filter((parameter) -> parameter.getType() != JobContext.class)
			.toList();
		if (payloads.size() != 1 || method.getParameterCount() > 2) {
			throw new InvalidHandlerException(
					"%s has %d payload parameters instead of one".formatted(name(beanName, method), payloads.size()),
					"Give it one parameter for the payload and, if it needs it, one of type JobContext");
		}
		return payloads.get(0);
	}

	private static void refuseAsynchronous(String beanName, Method method) {
		Class<?> result = method.getReturnType();
		if (Future.class.isAssignableFrom(result) || CompletionStage.class.isAssignableFrom(result)
				|| Flow.Publisher.class.isAssignableFrom(result)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null) {
			throw new InvalidHandlerException("%s returns a %s: its job would succeed before its work is done"
				.formatted(name(beanName, method), result.getSimpleName()),
					"Let it wait for its work and return what comes of it");
		}
	}

	private String queue(String beanName, Method method, JobHandler annotation, @Nullable JobHandler onClass,
			Class<?> payloadClass) {
		String given = annotation.queue().isEmpty() && onClass != null ? onClass.queue() : annotation.queue();
		String queue = new HandlerPlaceholders(name(beanName, method), this.placeholders).resolve("queue", given);
		if (!StringUtils.hasText(queue)) {
			queue = Objects.requireNonNullElse(JobTypes.queue(payloadClass), QueueNames.DEFAULT);
		}
		if (!QueueNames.isValid(queue)) {
			throw new InvalidHandlerException("%s names the queue '%s'".formatted(name(beanName, method), queue),
					"Give it a name that matches " + QueueNames.PATTERN);
		}
		return queue;
	}

	private String type(String beanName, Method method, JobHandler annotation, Class<?> payloadClass) {
		try {
			return this.types.name(payloadClass, annotation.type());
		}
		catch (InvalidTypeException ex) {
			throw new InvalidHandlerException(
					"%s handles no type: the type %s".formatted(name(beanName, method), ex.reason()),
					"Give the payload's class a name of its own with @JobType, or name the type of a Map, JsonNode or String"
							+ " with @JobHandler(type = …)");
		}
	}

	private static String name(String beanName, Method method) {
		return "The @JobHandler method %s.%s (bean '%s')".formatted(method.getDeclaringClass().getName(),
				method.getName(), beanName);
	}

}
