package io.jobqueue.harness;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.internal.store.ClaimRequest;
import io.jobqueue.internal.store.JobStore;

/**
 * Does something around calls of a store.
 */
public final class StoreCalls {

	private StoreCalls() {
	}

	/**
	 * Do something, or throw, before a method is called.
	 */
	public static JobStore before(String method, JobStore store, Runnable action) {
		return proxy((proxy, called, arguments) -> {
			if (called.getName().equals(method)) {
				action.run();
			}
			return call(store, called, arguments);
		});
	}

	/**
	 * Do something, or throw, after a method was called, before its caller is answered.
	 */
	public static JobStore after(String method, JobStore store, Runnable action) {
		return proxy((proxy, called, arguments) -> {
			Object result = call(store, called, arguments);
			if (called.getName().equals(method)) {
				action.run();
			}
			return result;
		});
	}

	/**
	 * Answer a method without calling it.
	 */
	public static JobStore instead(String method, JobStore store, Supplier<Object> answer) {
		return proxy((proxy, called, arguments) -> called.getName().equals(method) ? answer.get()
				: call(store, called, arguments));
	}

	/**
	 * Claim more jobs in advance than asked for.
	 */
	public static JobStore prefetching(JobStore store, int prefetch) {
		return proxy((proxy, called, arguments) -> {
			if (called.getName().equals("claim")) {
				ClaimRequest request = (ClaimRequest) arguments[1];
				return store.claim((UUID) arguments[0],
						new ClaimRequest(request.queue(), request.types(), request.onceTypes(), request.claim(),
								request.free(), prefetch, request.bytes(), request.maxAttempts(), request.maxRunTime(),
								request.keepDead(), request.positions(), request.limits(), request.typeLimits()));
			}
			return call(store, called, arguments);
		});
	}

	private static JobStore proxy(InvocationHandler handler) {
		return (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[] { JobStore.class },
				handler);
	}

	private static Object call(JobStore store, Method called, Object[] arguments) throws Throwable {
		try {
			return called.invoke(store, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
