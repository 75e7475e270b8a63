package io.jobqueue.internal.context;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import org.springframework.util.ClassUtils;

import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.store.ClaimedJob;

/**
 * Propagates MDC entries and thread-local values from the thread that enqueues a job to
 * the thread that runs it.
 */
public final class CallerContext {

	private static final boolean PROPAGATION_PRESENT = ClassUtils.isPresent("io.micrometer.context.ContextRegistry",
			CallerContext.class.getClassLoader());

	private final Collection<String> mdcKeys;

	private final Collection<String> threadLocals;

	/**
	 * Create a context.
	 * @param mdcKeys the keys of the MDC entries to propagate
	 * @param threadLocals the keys of the thread-local accessors whose values to
	 * propagate, empty without Micrometer's context propagation
	 */
	public CallerContext(Collection<String> mdcKeys, Collection<String> threadLocals) {
		this.mdcKeys = List.copyOf(mdcKeys);
		this.threadLocals = List.copyOf(threadLocals);
	}

	/**
	 * Add the values of the current thread to the headers of a job.
	 * @param headers the headers of the application
	 * @return the headers with the captured values
	 */
	public Map<String, String> addTo(Map<String, String> headers) {
		if (this.mdcKeys.isEmpty() && this.threadLocals.isEmpty()) {
			return headers;
		}
		Map<String, String> all = new LinkedHashMap<>(headers);
		CarriedValues.MDC.addTo(all, mdcEntries());
		if (!this.threadLocals.isEmpty()) {
			CarriedValues.THREAD_LOCALS.addTo(all, ThreadLocals.values(this.threadLocals));
		}
		return all;
	}

	private Map<String, String> mdcEntries() {
		Map<String, String> entries = new LinkedHashMap<>();
		for (String key : this.mdcKeys) {
			String value = MDC.get(key);
			if (value != null) {
				entries.put(key, value);
			}
		}
		return entries;
	}

	/**
	 * Run code with the thread-local values of a job for which this JVM has accessors,
	 * and restore the previous values.
	 * @param job the job
	 * @param work the code
	 */
	public void within(ClaimedJob job, Runnable work) {
		Map<String, String> values = PROPAGATION_PRESENT ? CarriedValues.THREAD_LOCALS.of(job.headers(), job)
				: Map.of();
		if (values.isEmpty()) {
			work.run();
		}
		else {
			ThreadLocals.within(values, work);
		}
	}

	/**
	 * The kinds of values that are stored in reserved headers of a job.
	 */
	public enum CarriedValues {

		/**
		 * Entries of the MDC.
		 */
		MDC("mdc."),

		/**
		 * Values of thread-local accessors.
		 */
		THREAD_LOCALS("context.");

		private static final Logger logger = LoggerFactory.getLogger(CarriedValues.class);

		private final String prefix;

		CarriedValues(String kind) {
			this.prefix = Headers.RESERVED + kind;
		}

		void addTo(Map<String, String> headers, Map<String, String> values) {
			values.forEach((key, value) -> headers.put(this.prefix + key, Headers.storable(value)));
		}

		/**
		 * Return the values in the encoded headers of a job. Headers that cannot be read,
		 * such as in rows of other programs, are logged and have no values.
		 * @param headers the encoded headers
		 * @param job the job, for the log
		 * @return the values by their names
		 */
		public Map<String, String> of(@Nullable String headers, Object job) {
			try {
				return (headers != null) ? carried(Headers.decodeReserved(headers)) : Map.of();
			}
			catch (RuntimeException ex) {
				logger.warn("Could not read the carried values of {}", job, ex);
				return Map.of();
			}
		}

		private Map<String, String> carried(Map<String, String> headers) {
			Map<String, String> values = new HashMap<>();
			headers.forEach((name, value) -> {
				if (name.startsWith(this.prefix)) {
					values.put(name.substring(this.prefix.length()), value);
				}
			});
			return values;
		}

	}

	/**
	 * Reads and sets thread-local text values with the registered accessors. This is a
	 * separate class because Micrometer's context propagation is optional.
	 */
	private static final class ThreadLocals {

		private static final Logger logger = LoggerFactory.getLogger(ThreadLocals.class);

		private static final Set<String> rejected = ConcurrentHashMap.newKeySet();

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
			else if (value != null && rejected.add(key)) {
				logger.warn("Thread-local value '{}' is not passed on to jobs: it must be a String, but is a {}", key,
						value.getClass().getName());
			}
		}

		/**
		 * Run code with the given values, and restore the previous ones.
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
		 * An accessor that throws must not fail the job.
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

}
