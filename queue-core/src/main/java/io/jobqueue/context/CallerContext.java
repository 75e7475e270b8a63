package io.jobqueue.context;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.slf4j.MDC;

import org.springframework.util.ClassUtils;

import io.jobqueue.store.ClaimedJob;

/**
 * Hands on what the thread that enqueues a job has about it to the thread that runs it.
 */
public final class CallerContext {

	private static final boolean PROPAGATION_PRESENT = ClassUtils.isPresent("io.micrometer.context.ContextRegistry",
			CallerContext.class.getClassLoader());

	private final Collection<String> mdcKeys;

	private final Collection<String> threadLocals;

	/**
	 * Create a context.
	 * @param mdcKeys the entries of the MDC to hand on
	 * @param threadLocals the keys of the thread-local accessors whose values to hand on,
	 * none where their library is missing
	 */
	public CallerContext(Collection<String> mdcKeys, Collection<String> threadLocals) {
		this.mdcKeys = List.copyOf(mdcKeys);
		this.threadLocals = List.copyOf(threadLocals);
	}

	/**
	 * Add what the current thread has to the headers of a job.
	 * @param headers the headers of the application
	 * @return those, and what is handed on
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
	 * Do something with the values of thread locals that a job took along, as far as
	 * there are accessors for them here. What was there before is back afterwards.
	 * @param job the job
	 * @param work what to do
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

}
