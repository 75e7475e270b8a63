package io.jobqueue.handler;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

import io.jobqueue.JobHandler;

/**
 * Finds the handler methods of an application context by the classes of its beans,
 * without creating beans.
 */
final class HandlerScanner {

	private static final String METHOD_NAME = "handle";

	private final ConfigurableListableBeanFactory beanFactory;

	private final HandlerSignature signature;

	HandlerScanner(ConfigurableListableBeanFactory beanFactory, HandlerSignature signature) {
		this.beanFactory = beanFactory;
		this.signature = signature;
	}

	List<HandlerDefinition> scan() {
		List<HandlerDefinition> definitions = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> beanClass = ScopedProxyUtils.isScopedTarget(beanName) ? null
					: AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (beanClass != null && AnnotationUtils.isCandidateClass(beanClass, JobHandler.class)) {
				definitions.addAll(scan(beanName, beanClass));
			}
		}
		return definitions;
	}

	private List<HandlerDefinition> scan(String beanName, Class<?> beanClass) {
		JobHandler onClass = AnnotatedElementUtils.findMergedAnnotation(beanClass, JobHandler.class);
		Map<Method, JobHandler> methods = MethodIntrospector.selectMethods(beanClass,
				(MethodIntrospector.MetadataLookup<JobHandler>) (method) -> annotation(method, onClass));
		if (onClass != null && methods.isEmpty()) {
			throw new InvalidHandlerException(
					"%s (bean '%s') is annotated with @JobHandler but has no non-private method named 'handle'"
						.formatted(beanClass.getName(), beanName),
					"Name its handler methods 'handle', or annotate the methods instead of the class");
		}
		return methods.entrySet()
			.stream()
			.map((entry) -> this.signature.define(beanName, beanClass, entry.getKey(), entry.getValue(), onClass))
			.toList();
	}

	private static @Nullable JobHandler annotation(Method method, @Nullable JobHandler onClass) {
		JobHandler onMethod = AnnotatedElementUtils.findMergedAnnotation(method, JobHandler.class);
		if (onMethod != null || onClass == null) {
			return onMethod;
		}
		boolean handles = method.getName().equals(METHOD_NAME) && !Modifier.isPrivate(method.getModifiers())
				&& !method.isBridge() && !method.isSynthetic();
		return handles ? onClass : null;
	}

}
