package io.jobqueue.internal.handler;

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
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.StringUtils;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.policy.ExceptionTypes;

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
		BeanMethod target = new BeanMethod(beanName, method, JobHandler.class);
		String handler = target.subject();
		HandlerAttributes attributes = new HandlerAttributes(handler, this.placeholders);
		Type declared = GenericTypeResolver.resolveType(payload(handler, method).getParameterizedType(), beanClass);
		BatchSignature signature = BatchSignature.of(target, declared, annotation, attributes);
		Class<?> payloadClass = ResolvableType.forType(signature.payloadType()).toClass();
		check(handler, method, beanClass, annotation.delivery());
		HandlerPayload.check(handler, payloadClass, annotation.type());
		TopicAttributes topic = TopicAttributes.of(attributes, annotation, onClass);
		return new HandlerDefinition(signature.target(), signature.payloadType(),
				queue(attributes, annotation.queue(), onClass,
						(topic != null) ? topic.subscriber() : JobTypes.queue(payloadClass)),
				type(handler, annotation, payloadClass), this.types.aliases(payloadClass), annotation.delivery(),
				new ExceptionTypes(List.of(annotation.failOn())), new ExceptionTypes(List.of(annotation.succeedOn())),
				annotation.retryPolicy(), attributes.options(annotation), topic);
	}

	private static Parameter payload(String handler, Method method) {
		List<Parameter> payloads = Arrays.stream(method.getParameters())
			.filter((parameter) -> parameter.getType() != JobContext.class)
			.toList();
		if (payloads.size() != 1 || method.getParameterCount() > 2) {
			throw new InvalidHandlerException(
					"%s has %s payload parameters instead of one".formatted(handler, payloads.size()),
					"Declare one parameter for the payload and, if needed, one of type JobContext");
		}
		return payloads.get(0);
	}

	/**
	 * Check that a handler method has finished its work when it returns, and that its
	 * writes commit together with the completion of its job if its delivery is
	 * transactional.
	 * @param handler the subject of a sentence about the handler
	 */
	static void check(String handler, Method method, Class<?> beanClass, Delivery delivery) {
		rejectAsynchronous(handler, method, beanClass);
		if (delivery == Delivery.TRANSACTIONAL) {
			rejectPropagation(handler, method, beanClass);
		}
	}

	private static void rejectAsynchronous(String handler, Method method, Class<?> beanClass) {
		if (AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(beanClass, Async.class)) {
			throw new InvalidHandlerException(
					"%s is @Async, on the method or on its class: its job would succeed before its work is done"
						.formatted(handler),
					"Remove @Async: handlers run on threads of the worker, up to the concurrency of the queue");
		}
		Class<?> result = method.getReturnType();
		if (Future.class.isAssignableFrom(result) || CompletionStage.class.isAssignableFrom(result)
				|| Flow.Publisher.class.isAssignableFrom(result)
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(result) != null) {
			throw new InvalidHandlerException("%s returns %s: its job would succeed before its work is done".formatted(
					handler, JobTypes.withArticle(result)), "Wait for the work in the handler, and return its result");
		}
	}

	/**
	 * The source of the attributes keeps the classes that it has read, and with them
	 * their class loader. The annotation of the class of the bean applies as well.
	 */
	private static void rejectPropagation(String handler, Method method, Class<?> beanClass) {
		TransactionAttribute attribute = new AnnotationTransactionAttributeSource(false).getTransactionAttribute(method,
				beanClass);
		if (attribute == null) {
			return;
		}
		for (Propagation propagation : new Propagation[] { Propagation.REQUIRES_NEW, Propagation.NOT_SUPPORTED,
				Propagation.NEVER }) {
			if (attribute.getPropagationBehavior() == propagation.value()) {
				throw new InvalidHandlerException(
						"%s has delivery = TRANSACTIONAL, but its @Transactional has propagation %s, which leaves the transaction of the job"
							.formatted(handler, propagation),
						"Remove that propagation, so that its writes commit together with the completion of the job");
			}
		}
	}

	/**
	 * Return the queue of a handler method: its own, that of its class, that of its
	 * payload or subscriber, or the default.
	 */
	static String queue(HandlerAttributes attributes, String own, @Nullable JobHandler onClass,
			@Nullable String implied) {
		String queue = attributes.resolve("queue", own.isEmpty() && onClass != null ? onClass.queue() : own);
		if (!StringUtils.hasText(queue)) {
			queue = Objects.requireNonNullElse(implied, QueueNames.DEFAULT);
		}
		if (!QueueNames.isValid(queue)) {
			throw new InvalidHandlerException(
					"%s names queue '%s', which is not a valid queue name".formatted(attributes.handler(), queue),
					"Use a name that matches " + QueueNames.RULE);
		}
		return queue;
	}

	private String type(String handler, JobHandler annotation, Class<?> payloadClass) {
		try {
			return this.types.name(payloadClass, annotation.type());
		}
		catch (JobRejectedException ex) {
			throw new InvalidHandlerException("%s has a payload whose type %s".formatted(handler, ex.reason()),
					"Give each class its own name and aliases with @JobType");
		}
	}

}
