package io.jobqueue.handler;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ReflectionUtils;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobResult;
import io.jobqueue.PayloadCodec;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.RetryPolicy;
import io.jobqueue.UnreadablePayloadException;
import io.jobqueue.interceptor.Interceptors;
import io.jobqueue.payload.JsonFailureException;
import io.jobqueue.payload.PayloadCodecs;

/**
 * Calls one handler method.
 */
public final class HandlerInvoker {

	private final Supplier<Object> bean;

	private final Method method;

	private final boolean[] takesJob;

	private final Class<?> payloadClass;

	private final HandlerDefinition definition;

	private final PayloadCodec codec;

	private final Interceptors interceptors;

	private final @Nullable RetryPolicy retryPolicy;

	private HandlerInvoker(Supplier<Object> bean, Method method, HandlerDefinition definition, PayloadCodec codec,
			Interceptors interceptors, @Nullable RetryPolicy retryPolicy) {
		this.bean = bean;
		this.method = method;
		this.takesJob = takesJob(method);
		this.payloadClass = ResolvableType.forType(definition.payloadType()).toClass();
		this.definition = definition;
		this.codec = codec;
		this.interceptors = interceptors;
		this.retryPolicy = retryPolicy;
	}

	static HandlerInvoker of(HandlerDefinition definition, ConfigurableListableBeanFactory beanFactory,
			PayloadCodecs codecs, Interceptors interceptors) {
		Object bean = beanFactory.getBean(definition.beanName());
		Method method = invocable(definition, bean.getClass());
		ReflectionUtils.makeAccessible(method);
		Supplier<Object> beans = beanFactory.isSingleton(definition.beanName()) ? () -> bean
				: () -> beanFactory.getBean(definition.beanName());
		return new HandlerInvoker(beans, method, definition, codecs.of(definition.queue()), interceptors,
				retryPolicy(definition, beanFactory));
	}

	private static boolean[] takesJob(Method method) {
		boolean[] takesJob = new boolean[method.getParameterCount()];
		for (int index = 0; index < takesJob.length; index++) {
			takesJob[index] = method.getParameterTypes()[index] == JobContext.class;
		}
		return takesJob;
	}

	private static Method invocable(HandlerDefinition definition, Class<?> beanClass) {
		try {
			return AopUtils.selectInvocableMethod(definition.method(), beanClass);
		}
		catch (IllegalStateException ex) {
			throw new InvalidHandlerException(
					"The @JobHandler method %s is hidden by the bean's JDK proxy".formatted(definition.description()),
					"Let the bean be proxied by class (proxyTargetClass = true, spring.aop.proxy-target-class=true), or"
							+ " declare the method in an interface of the bean");
		}
	}

	private static @Nullable RetryPolicy retryPolicy(HandlerDefinition definition,
			ConfigurableListableBeanFactory beanFactory) {
		String name = definition.retryPolicy();
		if (name.isEmpty()) {
			return null;
		}
		if (!beanFactory.containsBean(name) || !beanFactory.isTypeMatch(name, RetryPolicy.class)) {
			throw new InvalidHandlerException(
					"The @JobHandler method %s names the retry policy '%s', but there is no such bean of type RetryPolicy"
						.formatted(definition.description(), name),
					"Declare the bean, or correct the name");
		}
		return beanFactory.getBean(name, RetryPolicy.class);
	}

	/**
	 * Return the policy that decides after a failure.
	 * @return the policy, or {@code null} for the queue's
	 */
	public @Nullable RetryPolicy retryPolicy() {
		return this.retryPolicy;
	}

	/**
	 * Return what the handler is promised.
	 * @return the promise
	 */
	public Delivery delivery() {
		return this.definition.delivery();
	}

	/**
	 * Return whether an exception leaves no hope for another attempt.
	 * @param thrown what the handler threw
	 * @return {@code true} if the job is dead
	 */
	public boolean failsOn(Throwable thrown) {
		return this.definition.failOn().match(thrown);
	}

	/**
	 * Return whether an exception completes the job.
	 * @param thrown what the handler threw
	 * @return {@code true} if the job has succeeded
	 */
	public boolean succeedsOn(Throwable thrown) {
		return !failsOn(thrown) && this.definition.succeedOn().match(thrown);
	}

	/**
	 * Decode the payload and let the handler have it.
	 * @param payload the encoded payload
	 * @param job the job
	 * @return what the handler says, success if it says nothing
	 * @throws InvocationTargetException with what the handler throws, or an interceptor
	 * around it
	 * @throws RuntimeException whatever else goes wrong, before any of them is called
	 */
	public JobResult handle(Encoded payload, JobContext job) throws InvocationTargetException {
		Object[] arguments = arguments(decode(payload, job), job);
		Object target = this.bean.get();
		try {
			return this.interceptors.aroundRun(job, () -> call(target, arguments));
		}
		catch (Throwable ex) {
			throw new InvocationTargetException(ex);
		}
	}

	private JobResult call(Object target, Object[] arguments) throws Exception {
		try {
			return (this.method.invoke(target, arguments) instanceof JobResult result) ? result : JobResult.success();
		}
		catch (InvocationTargetException ex) {
			HandlerInvoker.<RuntimeException>rethrow(ex.getTargetException());
			throw new AssertionError(ex);
		}
	}

	/**
	 * A handler may throw what a {@code Callable} must not declare.
	 */
	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void rethrow(Throwable thrown) throws X {
		throw (X) thrown;
	}

	private Object[] arguments(Object payload, JobContext job) {
		Object[] arguments = new Object[this.takesJob.length];
		for (int index = 0; index < arguments.length; index++) {
			arguments[index] = this.takesJob[index] ? job : payload;
		}
		return arguments;
	}

	private Object decode(Encoded payload, JobContext job) {
		try {
			return this.payloadClass.cast(this.codec.decode(payload, this.definition.payloadType()));
		}
		catch (RuntimeException | StackOverflowError ex) {
			String reason = (ex instanceof JsonFailureException failure) ? failure.reason() : "";
			throw new UnreadablePayloadException(job.type(), reason, ex);
		}
	}

}
