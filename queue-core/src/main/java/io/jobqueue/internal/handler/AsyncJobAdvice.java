package io.jobqueue.internal.handler;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;

import io.jobqueue.JobQueue;

/**
 * Enqueues a job instead of calling a method, unless it is the job that calls the method.
 */
final class AsyncJobAdvice implements MethodInterceptor {

	/**
	 * The method that a job of this thread is about to call. The call itself removes it,
	 * so that all calls in its body are jobs, those of the same method included.
	 */
	private static final ThreadLocal<@Nullable Method> RUNNING = new ThreadLocal<>();

	private final Map<Method, Method> annotated = new ConcurrentHashMap<>();

	private final Map<Method, AsyncJobMethod> known = new ConcurrentHashMap<>();

	private final Function<Method, AsyncJobMethod> methods;

	private final Supplier<JobQueue> queue;

	/**
	 * Create an advice.
	 * @param methods returns the definition of a method that has the annotation
	 * @param queue returns the queue
	 */
	AsyncJobAdvice(Function<Method, AsyncJobMethod> methods, Supplier<JobQueue> queue) {
		this.methods = methods;
		this.queue = queue;
	}

	/**
	 * Return a call of a method by its job. A handler may run within another one's call,
	 * on the same thread, before that has reached its method.
	 * @param method the method that has the annotation
	 * @param body calls it
	 */
	static Callable<@Nullable Object> running(Method method, Callable<@Nullable Object> body) {
		return () -> {
			Method outer = RUNNING.get();
			RUNNING.set(method);
			try {
				return body.call();
			}
			finally {
				RUNNING.set(outer);
			}
		};
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Method method = annotated(declared(invocation));
		if (method.equals(RUNNING.get())) {
			RUNNING.remove();
			return invocation.proceed();
		}
		AsyncJobMethod job = this.known.get(method);
		if (job == null) {
			job = this.methods.apply(method);
			this.known.put(method, job);
		}
		return this.queue.get().enqueue(job.request(invocation.getArguments()));
	}

	private Method annotated(Method method) {
		Method known = this.annotated.get(method);
		return (known != null) ? known : this.annotated.computeIfAbsent(method, AsyncJobSignature::annotated);
	}

	/**
	 * Return the method of the class of the bean, although a proxy was called by a method
	 * of an interface or by a bridge.
	 */
	private static Method declared(MethodInvocation invocation) {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? AopProxyUtils.ultimateTargetClass(target) : null;
		return BridgeMethodResolver
			.findBridgedMethod(AopUtils.getMostSpecificMethod(invocation.getMethod(), targetClass));
	}

}
