package io.jobqueue.internal.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

import io.jobqueue.AsyncJob;
import io.jobqueue.JobHandler;
import io.jobqueue.RecurringJob;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;

/**
 * Finds the handler methods of an application context by the classes of its beans,
 * without creating beans.
 */
final class HandlerScanner {

	private static final String METHOD_NAME = "handle";

	private static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(JobHandler.class, RecurringJob.class,
			RecurringJob.List.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final HandlerSignature signature;

	private final RecurringSignature recurring;

	private final AsyncJobSignature asyncJobs;

	HandlerScanner(ConfigurableListableBeanFactory beanFactory, JobTypes types, JacksonPayloadCodec json) {
		this.beanFactory = beanFactory;
		UnaryOperator<String> placeholders = (text) -> Objects
			.requireNonNullElse(beanFactory.resolveEmbeddedValue(text), "");
		this.signature = new HandlerSignature(types, placeholders);
		this.recurring = new RecurringSignature(types, placeholders);
		this.asyncJobs = new AsyncJobSignature(types, json, placeholders);
	}

	List<HandlerDefinition> scan() {
		List<HandlerDefinition> definitions = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> beanClass = ScopedProxyUtils.isScopedTarget(beanName) ? null
					: AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (beanClass != null && AnnotationUtils.isCandidateClass(beanClass, ANNOTATIONS)) {
				definitions.addAll(scan(beanName, beanClass));
			}
		}
		AsyncJobSignature.rejectTaken(definitions);
		return definitions;
	}

	private List<HandlerDefinition> scan(String beanName, Class<?> beanClass) {
		JobHandler onClass = AnnotatedElementUtils.findMergedAnnotation(beanClass, JobHandler.class);
		List<HandlerDefinition> definitions = new ArrayList<>();
		select(beanClass, HandlerScanner::schedules).forEach((method, schedules) -> schedules.forEach(
				(schedule) -> definitions.add(this.recurring.define(beanName, beanClass, method, schedule, onClass))));
		Map<Method, JobHandler> methods = select(beanClass, (method) -> annotation(method, onClass));
		if (onClass != null && methods.isEmpty() && definitions.isEmpty()) {
			throw new InvalidHandlerException(
					"%s (bean '%s') is annotated with @JobHandler but has no non-private method named 'handle'"
						.formatted(beanClass.getName(), beanName),
					"Name its handler methods 'handle', or annotate the methods instead of the class");
		}
		methods.forEach((method,
				annotation) -> definitions.add(AnnotatedElementUtils.hasAnnotation(method, AsyncJob.class)
						? this.asyncJobs.define(beanName, beanClass, method, annotation, onClass)
						: this.signature.define(beanName, beanClass, method, annotation, onClass)));
		return definitions;
	}

	/**
	 * A public class has bridges to the public methods of a package-private superclass,
	 * without the type arguments of their parameters.
	 */
	private static <T> Map<Method, T> select(Class<?> beanClass, MethodIntrospector.MetadataLookup<T> lookup) {
		Map<Method, T> selected = new LinkedHashMap<>();
		MethodIntrospector.selectMethods(beanClass, lookup)
			.forEach((method, found) -> selected.put(BridgeMethodResolver.findBridgedMethod(method), found));
		return selected;
	}

	private static @Nullable Set<RecurringJob> schedules(Method method) {
		Set<RecurringJob> schedules = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, RecurringJob.class);
		return schedules.isEmpty() ? null : schedules;
	}

	private static @Nullable JobHandler annotation(Method method, @Nullable JobHandler onClass) {
		JobHandler onMethod = AnnotatedElementUtils.findMergedAnnotation(method, JobHandler.class);
		if (onMethod != null || onClass == null) {
			return onMethod;
		}
		boolean handles = method.getName().equals(METHOD_NAME) && !Modifier.isPrivate(method.getModifiers())
				&& schedules(method) == null;
		return handles ? onClass : null;
	}

}
