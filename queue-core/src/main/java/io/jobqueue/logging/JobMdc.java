package io.jobqueue.logging;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import io.jobqueue.context.CarriedValues;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.EndedJob;
import io.jobqueue.store.MaintenanceStore.LostJob;

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
		within(job, Map.of(), work);
	}

	/**
	 * Run code with the MDC entries of a job and of the trace of its run, and restore the
	 * previous entries afterwards.
	 * @param job the job
	 * @param correlation the entries that identify the trace of the run
	 * @param work the code
	 */
	public void within(ClaimedJob job, Map<String, String> correlation, Runnable work) {
		Map<String, String> entries = entries(job.id(), job.queue(), job.type());
		entries.putAll(run(job.attempt(), this.worker));
		entries.putAll(correlation);
		within(CarriedValues.MDC.of(job.headers(), job), entries, work);
	}

	/**
	 * Run code with the MDC entries of a job whose claim was ended by the reaper, and
	 * restore the previous entries afterwards.
	 * @param job the job
	 * @param work the code
	 */
	public static void within(LostJob job, Runnable work) {
		Map<String, String> entries = entries(job.id(), job.tier().queue(), job.type());
		entries.putAll(run(job.attempt(), job.worker()));
		within(CarriedValues.MDC.of(job.headers(), job), entries, work);
	}

	/**
	 * Run code with the MDC entries of a job that has ended without a worker, and restore
	 * the previous entries afterwards.
	 * @param job the job
	 * @param work the code
	 */
	public static void within(EndedJob job, Runnable work) {
		within(CarriedValues.MDC.of(job.headers(), job), entries(job.id(), job.tier().queue(), job.type()), work);
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
		within(Map.of(), entries(id, queue, type), work);
	}

	private static void within(Map<String, String> carried, Map<String, String> entries, Runnable work) {
		Map<String, String> before = MDC.getCopyOfContextMap();
		Map<String, String> all = (before != null) ? new HashMap<>(before) : new HashMap<>();
		all.putAll(carried);
		all.putAll(entries);
		MDC.setContextMap(all);
		try {
			work.run();
		}
		finally {
			restore(before);
		}
	}

	private static void restore(@Nullable Map<String, String> before) {
		if (before != null) {
			MDC.setContextMap(before);
		}
		else {
			MDC.clear();
		}
	}

	private static Map<String, String> entries(UUID id, String queue, String type) {
		return new HashMap<>(Map.of("job.id", id.toString(), "job.queue", queue, "job.type", type));
	}

	private static Map<String, String> run(int attempt, String worker) {
		return Map.of("job.attempt", Integer.toString(attempt), "job.worker", worker);
	}

}
