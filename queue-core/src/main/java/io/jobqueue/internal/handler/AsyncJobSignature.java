package io.jobqueue.internal.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.scheduling.annotation.Scheduled;

import io.jobqueue.AsyncJob;
import io.jobqueue.JobHandler;
import io.jobqueue.JobReceipt;
import io.jobqueue.JobRejectedException;
import io.jobqueue.RecurringJob;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.MethodArguments;
import io.jobqueue.internal.policy.ExceptionTypes;

/**
 * Creates the definition of a handler from a method whose calls become jobs. Their
 * payload is a JSON object with the arguments.
 */
final class AsyncJobSignature {

	private final JobTypes types;

	private final JacksonPayloadCodec json;

	private final UnaryOperator<String> placeholders;

	AsyncJobSignature(JobTypes types, JacksonPayloadCodec json, UnaryOperator<String> placeholders) {
		this.types = types;
		this.json = json;
		this.placeholders = placeholders;
	}

	HandlerDefinition define(String beanName, Class<?> beanClass, Method method, JobHandler annotation,
			@Nullable JobHandler onClass) {
		BeanMethod bean = new BeanMethod(beanName, method, AsyncJob.class);
		HandlerAttributes attributes = new HandlerAttributes(bean.subject(), this.placeholders);
		rejectUnproxied(bean);
		rejectResult(bean);
		rejectFurther(bean);
		HandlerSignature.check(bean.subject(), method, beanClass, annotation.delivery());
		String queue = HandlerSignature.queue(attributes, annotation.queue(), onClass, null);
		String type = type(bean, annotation.type());
		MethodArguments arguments = new MethodArguments(this.json.mapper(), annotated(method), beanClass);
		new AsyncJobArguments(bean.subject(), this.json).check(arguments);
		return new HandlerDefinition(new AsyncJobMethod(bean, queue, type, arguments), ObjectNode.class, queue, type,
				Set.of(), annotation.delivery(), new ExceptionTypes(List.of(annotation.failOn())),
				new ExceptionTypes(List.of(annotation.succeedOn())), annotation.retryPolicy(),
				attributes.options(annotation), null);
	}

	/**
	 * Return the method that has the annotation: a method, or one of a superclass or
	 * interface that it overrides. Until a bean is created, it may be known only by an
	 * interface.
	 */
	static Method annotated(Method method) {
		Object source = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(AsyncJob.class).getSource();
		return (source instanceof Method annotated) ? BridgeMethodResolver.findBridgedMethod(annotated) : method;
	}

	private static void rejectUnproxied(BeanMethod bean) {
		int modifiers = bean.method().getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
			throw new InvalidHandlerException(
					"%s is %s: calls of it do not pass the proxy of the bean".formatted(bean.subject(),
							Modifier.toString(modifiers & (Modifier.PRIVATE | Modifier.FINAL | Modifier.STATIC))),
					"Make it neither private nor final nor static, and call it from another bean");
		}
	}

	private static void rejectResult(BeanMethod bean) {
		Class<?> result = bean.method().getReturnType();
		if (result != void.class && result != JobReceipt.class) {
			throw new InvalidHandlerException("%s returns %s, but its callers cannot wait for a job".formatted(
					bean.subject(), JobTypes.withArticle(result)), "Return void, or JobReceipt for the id of the job");
		}
	}

	/**
	 * The annotation is a {@code @JobHandler} itself.
	 */
	private static void rejectFurther(BeanMethod bean) {
		Method method = bean.method();
		Class<? extends Annotation> further = null;
		if (MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(JobHandler.class).count() > 1) {
			further = JobHandler.class;
		}
		else if (!AnnotatedElementUtils.findMergedRepeatableAnnotations(method, RecurringJob.class).isEmpty()) {
			further = RecurringJob.class;
		}
		else if (!AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Scheduled.class).isEmpty()) {
			further = Scheduled.class;
		}
		if (further != null) {
			throw new InvalidHandlerException(
					"%s is also annotated with @%s".formatted(bean.subject(), further.getSimpleName()),
					"Remove one of them, or annotate two methods, one of which calls the other bean's");
		}
	}

	private String type(BeanMethod bean, String given) {
		try {
			return this.types.name(ObjectNode.class, given);
		}
		catch (JobRejectedException ex) {
			throw new InvalidHandlerException("%s has the name '%s'".formatted(bean.subject(), given),
					"Use a name of at most 200 printable characters without spaces, which is not that of a payload class");
		}
	}

	/**
	 * Reject a method whose type is that of another handler, in whichever queue: the
	 * payloads of the two have nothing in common.
	 */
	static void rejectTaken(List<HandlerDefinition> definitions) {
		Map<String, HandlerDefinition> byType = new HashMap<>();
		definitions.forEach((definition) -> definition.types().forEach((type) -> {
			HandlerDefinition other = byType.put(type, definition);
			if (other != null
					&& (other.target() instanceof AsyncJobMethod || definition.target() instanceof AsyncJobMethod)) {
				throw new InvalidHandlerException(
						"The name '%s' of an @AsyncJob method belongs to two handlers: %s and %s".formatted(type,
								other.description(), definition.description()),
						"Give the @AsyncJob method a name of its own");
			}
		}));
	}

}
