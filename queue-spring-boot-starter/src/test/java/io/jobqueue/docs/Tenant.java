package io.jobqueue.docs;

import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;

/**
 * Whom the current thread works for.
 */
final class Tenant {

	private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

	private Tenant() {
	}

	static @Nullable String current() {
		return CURRENT.get();
	}

	static void set(String tenant) {
		CURRENT.set(tenant);
	}

	static void clear() {
		CURRENT.remove();
	}

	static <T> T callAs(String tenant, Callable<T> work) throws Exception {
		CURRENT.set(tenant);
		try {
			return work.call();
		}
		finally {
			CURRENT.remove();
		}
	}

}
