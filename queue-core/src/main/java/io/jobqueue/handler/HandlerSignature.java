package io.jobqueue.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.StringUtils;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.handler.HandlerOptions.HandlerPlaceholders;
import io.jobqueue.payload.InvalidTypeException;
import io.jobqueue.payload.JobTypes;
import io.jobqueue.payload.QueueNames;
import io.jobqueue.policy.ExceptionTypes;

/**
 * Creates the definition of a handler from the parameters and the annotation of its
 * method.
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
		Type payloadType = GenericTypeResolver.resolveType(payload(beanName, method).getParameterizedType(), beanClass);
		Class<?> payloadClass = ResolvableType.forType(payloadType).toClass();
		rejectAsynchronous(beanName, method, beanClass);
		HandlerPayload.check(name(beanName, method), payloadClass, annotation.type());
		if (annotation.delivery() == Delivery.TRANSACTIONAL) {
			HandlerPropagation.check(name(beanName, method), method, beanClass);
		}
		return new HandlerDefinition(new BeanMethod(beanName, method), payloadType,
				queue(beanName, method, annotation, onClass, payloadClass),
				type(beanName, method, annotation, payloadClass), this.types.aliases(payloadClass),
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
					"Declare one parameter for the payload and, if needed, one of type JobContext");
		}
		return payloads.get(0);
	}

	private static void rejectAsynchronous(String beanName, Method method, Class<?> beanClass) {
		if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(beanClass, Async.class)) {
			throw new InvalidHandlerException(
					"%s is @Async, on the method or on its class: its job would succeed before its work is done"
						.formatted(name(beanName, method)),
					"Remove @Async: handlers run on threads of the worker, up to the concurrency of the queue");
		}
		Class<?> result = method.getReturnType();
		if (Future.class.isAssignableFrom(result) || CompletionStage.class.isAssignableFrom(result)
				|| Flow.Publisher.class.isAssignableFrom(result)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null) {
			throw new InvalidHandlerException("%s returns %s: its job would succeed before its work is done"
				.formatted(name(beanName, method), JobTypes.withArticle(result)),
					"Wait for the work in the handler, and return its result");
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
			throw new InvalidHandlerException(
					"%s names queue '%s', which is not a valid queue name".formatted(name(beanName, method), queue),
					"Use a name that matches " + QueueNames.RULE);
		}
		return queue;
	}

	private String type(String beanName, Method method, JobHandler annotation, Class<?> payloadClass) {
		try {
			return this.types.name(payloadClass, annotation.type());
		}
		catch (InvalidTypeException ex) {
			throw new InvalidHandlerException(
					"%s has a payload whose type %s".formatted(name(beanName, method), ex.reason()),
					"Give each class its own name and aliases with @JobType");
		}
	}

	private static String name(String beanName, Method method) {
		return "The @JobHandler method %s.%s (bean '%s')".formatted(method.getDeclaringClass().getName(),
				method.getName(), beanName);
	}

}
