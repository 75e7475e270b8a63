package io.jobqueue.internal.handler;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.ScopeNotActiveException;
import org.springframework.core.Nullness;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

import io.jobqueue.JobContext;
import io.jobqueue.internal.handler.HandlerTarget.HandlerCall;

/**
 * A handler method of a bean.
 *
 * @param beanName the name of the bean
 * @param method the method as the class of the bean declares it
 * @param annotation the annotation that makes it a handler, for messages
 */
record BeanMethod(String beanName, Method method, Class<? extends Annotation> annotation) implements HandlerTarget {

	private static final Set<String> WEB_SCOPES = Set.of("request", "session", "websocket");

	@Override
	public String description() {
		return "%s.%s (bean '%s')".formatted(this.method.getDeclaringClass().getName(), this.method.getName(),
				this.beanName);
	}

	/**
	 * Return the subject of a sentence about the method.
	 */
	String subject() {
		return "The @%s method %s".formatted(this.annotation.getSimpleName(), description());
	}

	@Override
	public boolean takesNull() {
		return Arrays.stream(this.method.getParameters())
			.anyMatch((parameter) -> parameter.getType() != JobContext.class
					&& Nullness.forParameter(parameter) == Nullness.NULLABLE);
	}

	@Override
	public HandlerCall call(ConfigurableListableBeanFactory beanFactory) {
		Class<?>[] parameters = this.method.getParameterTypes();
		return call(beanFactory, (payload, job) -> arguments(parameters, payload, job));
	}

	/**
	 * Return the call of the method.
	 * @param arguments returns the arguments for a payload and the context of its job
	 */
	HandlerCall call(ConfigurableListableBeanFactory beanFactory,
			BiFunction<Object, JobContext, @Nullable Object[]> arguments) {
		return callEach(beanFactory, (payload, job) -> {
			@Nullable Object[] prepared = arguments.apply(payload, job);
			return () -> prepared;
		});
	}

	/**
	 * Return the call of the method, with arguments of its own each time that an
	 * interceptor repeats it.
	 * @param arguments returns what makes the arguments
	 */
	HandlerCall callEach(ConfigurableListableBeanFactory beanFactory,
			BiFunction<Object, JobContext, Supplier<@Nullable Object[]>> arguments) {
		Object bean = bean(beanFactory);
		Method invocable = invocable(bean.getClass());
		ReflectionUtils.makeAccessible(invocable);
		Supplier<Object> beans = beanFactory.isSingleton(this.beanName) ? () -> bean
				: () -> beanFactory.getBean(this.beanName);
		return (payload, job) -> prepared(beans.get(), invocable, arguments.apply(payload, job));
	}

	/**
	 * A scoped proxy can be created without its scope, so the target is created first to
	 * check that the scope is active. A proxy of another scope than those of the web is
	 * accepted nevertheless: an interceptor may open the scope around runs.
	 */
	private Object bean(ConfigurableListableBeanFactory beanFactory) {
		String target = ScopedProxyUtils.getTargetBeanName(this.beanName);
		boolean proxied = beanFactory.containsBeanDefinition(target);
		String scoped = proxied ? target : this.beanName;
		try {
			Object called = beanFactory.getBean(scoped);
			return proxied ? beanFactory.getBean(this.beanName) : called;
		}
		catch (ScopeNotActiveException ex) {
			if (proxied && !WEB_SCOPES.contains(scope(beanFactory, scoped))) {
				return beanFactory.getBean(this.beanName);
			}
			throw inactive(scope(beanFactory, scoped), ex);
		}
		catch (IllegalStateException ex) {
			if (isKnown(beanFactory, scope(beanFactory, scoped))) {
				throw ex;
			}
			throw inactive(scope(beanFactory, scoped), ex);
		}
	}

	private static String scope(ConfigurableListableBeanFactory beanFactory, String beanName) {
		String scope = beanFactory.getMergedBeanDefinition(beanName).getScope();
		return StringUtils.hasText(scope) ? scope : BeanDefinition.SCOPE_SINGLETON;
	}

	/**
	 * Without a web application, the scopes of the web are not registered.
	 */
	private static boolean isKnown(ConfigurableListableBeanFactory beanFactory, String scope) {
		return BeanDefinition.SCOPE_SINGLETON.equals(scope) || BeanDefinition.SCOPE_PROTOTYPE.equals(scope)
				|| beanFactory.getRegisteredScope(scope) != null;
	}

	private InvalidHandlerException inactive(String scope, RuntimeException cause) {
		return new InvalidHandlerException(
				"%s has the scope '%s', which is not active on the threads of a worker".formatted(subject(), scope),
				"Make the bean a singleton; what the handler needs to know of a request travels in the payload, the headers or the context of the job. A bean of a scope that a JobInterceptor opens around runs needs a scoped proxy",
				cause);
	}

	private Method invocable(Class<?> beanClass) {
		try {
			return AopUtils.selectInvocableMethod(this.method, beanClass);
		}
		catch (IllegalStateException ex) {
			throw new InvalidHandlerException("%s is not accessible through the bean's JDK proxy".formatted(subject()),
					"Proxy the bean by class (proxyTargetClass = true, spring.aop.proxy-target-class=true), or"
							+ " declare the method in an interface of the bean");
		}
	}

	private static @Nullable Object[] arguments(Class<?>[] parameters, @Nullable Object payload, JobContext job) {
		@Nullable Object[] arguments = new Object[parameters.length];
		for (int index = 0; index < arguments.length; index++) {
			arguments[index] = (parameters[index] == JobContext.class) ? job : payload;
		}
		return arguments;
	}

	private static Callable<@Nullable Object> prepared(Object bean, Method method,
			Supplier<@Nullable Object[]> arguments) {
		return () -> {
			try {
				return method.invoke(bean, arguments.get());
			}
			catch (InvocationTargetException ex) {
				BeanMethod.<RuntimeException>rethrow(ex.getTargetException());
				throw new AssertionError(ex);
			}
		};
	}

	/**
	 * Throws any {@code Throwable} of a handler without declaring it, which
	 * {@code Callable} does not permit.
	 */
	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void rethrow(Throwable thrown) throws X {
		throw (X) thrown;
	}

}
