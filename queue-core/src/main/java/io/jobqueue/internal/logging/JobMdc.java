package io.jobqueue.internal.logging;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import io.jobqueue.internal.context.CallerContext.CarriedValues;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.EndedJob;
import io.jobqueue.internal.store.MaintenanceStore.LostJob;

/**
 * Sets the MDC entries that identify a job in log lines, and those that were captured
 * when the job was enqueued.
 */
public final class JobMdc {

	private final String worker;

	/**
	 * Create the MDC entries for the jobs of a worker.
	 * @param worker the name of the worker
	 */
	public JobMdc(String worker) {
		this.worker = worker;
	}

	/**
	 * Run code with the MDC entries of a job, and restore the previous entries
	 * afterwards.
	 * @param job the job
	 * @param work the code
	 */
	public void within(ClaimedJob job, Runnable work) {
		within(entries(job), work);
	}

	/**
	 * Set the MDC entries of a job. Callers restore the previous ones in a
	 * {@code finally} block. Unlike the methods that take code, this adds no stack frame
	 * around a handler.
	 * @param job the job
	 * @return the previous entries, to be passed to {@link #restore}
	 */
	public @Nullable Map<String, String> enter(ClaimedJob job) {
		return enter(entries(job));
	}

	/**
	 * Set the MDC entries of a call with several jobs, which are those that the jobs have
	 * in common. Callers restore the previous ones in a {@code finally} block.
	 * @param any one of the jobs
	 * @return the previous entries, to be passed to {@link #restore}
	 */
	public @Nullable Map<String, String> enterCall(ClaimedJob any) {
		Map<String, String> entries = new HashMap<>();
		entries.put("job.queue", any.queue());
		entries.put("job.type", any.type());
		entries.put("job.worker", this.worker);
		return enter(entries);
	}

	/**
	 * Restore the previous MDC entries.
	 * @param before the entries that {@link #enter(ClaimedJob)} has returned
	 */
	public static void restore(@Nullable Map<String, String> before) {
		if (before != null) {
			MDC.setContextMap(before);
		}
		else {
			MDC.clear();
		}
	}

	/**
	 * Run code with the MDC entries of a job and of the trace of its run, and restore the
	 * previous entries afterwards.
	 * @param job the job
	 * @param correlation the entries that identify the trace of the run
	 * @param work the code
	 */
	public void within(ClaimedJob job, Map<String, String> correlation, Runnable work) {
		Map<String, String> entries = entries(job);
		entries.putAll(correlation);
		within(entries, work);
	}

	private Map<String, String> entries(ClaimedJob job) {
		Map<String, String> entries = entries(job.headers(), job);
		putJob(entries, job.id(), job.queue(), job.type());
		putRun(entries, job.attempt(), this.worker);
		return entries;
	}

	/**
	 * Run code with the MDC entries of a job whose claim was ended by the reaper, and
	 * restore the previous entries afterwards.
	 * @param job the job
	 * @param work the code
	 */
	public static void within(LostJob job, Runnable work) {
		Map<String, String> entries = entries(job.headers(), job);
		putJob(entries, job.id(), job.tier().queue(), job.type());
		putRun(entries, job.attempt(), job.worker());
		within(entries, work);
	}

	/**
	 * Run code with the MDC entries of a job that has ended without a worker, and restore
	 * the previous entries afterwards.
	 * @param job the job
	 * @param work the code
	 */
	public static void within(EndedJob job, Runnable work) {
		Map<String, String> entries = entries(job.headers(), job);
		putJob(entries, job.id(), job.tier().queue(), job.type());
		within(entries, work);
	}

	/**
	 * Run code with the MDC entries of a job that is being enqueued, and restore the
	 * previous entries afterwards.
	 * @param id the id of the job
	 * @param queue the name of its queue
	 * @param type the name of its type
	 * @param work the code
	 */
	public static void within(UUID id, String queue, String type, Runnable work) {
		Map<String, String> entries = new HashMap<>();
		putJob(entries, id, queue, type);
		within(entries, work);
	}

	private static void within(Map<String, String> entries, Runnable work) {
		Map<String, String> before = enter(entries);
		try {
			work.run();
		}
		finally {
			restore(before);
		}
	}

	private static @Nullable Map<String, String> enter(Map<String, String> entries) {
		Map<String, String> before = MDC.getCopyOfContextMap();
		if (before != null) {
			before.forEach(entries::putIfAbsent);
		}
		MDC.setContextMap(entries);
		return before;
	}

	private static Map<String, String> entries(@Nullable String headers, Object job) {
		return new HashMap<>(CarriedValues.MDC.of(headers, job));
	}

	private static void putJob(Map<String, String> entries, UUID id, String queue, String type) {
		entries.put("job.id", id.toString());
		entries.put("job.queue", queue);
		entries.put("job.type", type);
	}

	private static void putRun(Map<String, String> entries, int attempt, String worker) {
		entries.put("job.attempt", Integer.toString(attempt));
		entries.put("job.worker", worker);
	}

}
