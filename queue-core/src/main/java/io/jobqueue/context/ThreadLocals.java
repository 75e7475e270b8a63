package io.jobqueue.context;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Thread locals with text in them, by way of the accessors that are registered in this
 * JVM.
 */
final class ThreadLocals {

	private static final Logger logger = LoggerFactory.getLogger(ThreadLocals.class);

	private static final Set<String> refused = ConcurrentHashMap.newKeySet();

	private ThreadLocals() {
	}

	/**
	 * Return the values of the current thread.
	 */
	static Map<String, String> values(Collection<String> keys) {
		Map<String, String> values = new LinkedHashMap<>();
		for (ThreadLocalAccessor<?> accessor : ContextRegistry.getInstance().getThreadLocalAccessors()) {
			if (keys.contains(accessor.key().toString())) {
				add(accessor.key().toString(), accessor.getValue(), values);
			}
		}
		return values;
	}

	private static void add(String key, @Nullable Object value, Map<String, String> values) {
		if (value instanceof String text) {
			values.put(key, text);
		}
		else if (value != null && refused.add(key)) {
			logger.warn("Thread-local value '{}' is not passed on to jobs: it must be a String, but is a {}", key,
					value.getClass().getName());
		}
	}

	/**
	 * Do something with the given values in place.
	 */
	static void within(Map<String, String> values, Runnable work) {
		Deque<Runnable> undo = new ArrayDeque<>();
		try {
			set(values, undo);
			work.run();
		}
		finally {
			undo.forEach(Runnable::run);
		}
	}

	@SuppressWarnings("unchecked")
	private static void set(Map<String, String> values, Deque<Runnable> undo) {
		for (ThreadLocalAccessor<?> accessor : ContextRegistry.getInstance().getThreadLocalAccessors()) {
			String value = values.get(accessor.key().toString());
			if (value != null) {
				trySafely(accessor, () -> set((ThreadLocalAccessor<Object>) accessor, value, undo));
			}
		}
	}

	private static void set(ThreadLocalAccessor<Object> accessor, String value, Deque<Runnable> undo) {
		Object before = accessor.getValue();
		accessor.setValue(value);
		undo.push(() -> trySafely(accessor, () -> restore(accessor, before)));
	}

	/**
	 * An accessor must not come between a job and its outcome.
	 */
	private static void trySafely(ThreadLocalAccessor<?> accessor, Runnable access) {
		try {
			access.run();
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Could not set or restore the thread-local value '{}' of a job", accessor.key(), ex);
		}
	}

	private static void restore(ThreadLocalAccessor<Object> accessor, @Nullable Object before) {
		if (before != null) {
			accessor.restore(before);
		}
		else {
			accessor.restore();
		}
	}

}
