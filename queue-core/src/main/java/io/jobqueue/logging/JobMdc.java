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
 * The entries of the MDC that say which job a log line is about. What the job took along
 * from the thread that enqueued it is there too.
 */
public final class JobMdc {

	private final String worker;

	/**
	 * Create the entries of a worker's jobs.
	 * @param worker the worker's name
	 */
	public JobMdc(String worker) {
		this.worker = worker;
	}

	/**
	 * Do something that is about a job. Whatever it leaves in the MDC is gone afterwards,
	 * and what was there before is back.
	 * @param job the job
	 * @param work what to do
	 */
	public void within(ClaimedJob job, Runnable work) {
		within(job, Map.of(), work);
	}

	/**
	 * Do something that is about a run of a job, as {@link #within(ClaimedJob, Runnable)}
	 * does.
	 * @param job the job
	 * @param correlation the entries that identify the trace of the run
	 * @param work what to do
	 */
	public void within(ClaimedJob job, Map<String, String> correlation, Runnable work) {
		Map<String, String> entries = entries(job.id(), job.queue(), job.type());
		entries.putAll(run(job.attempt(), this.worker));
		entries.putAll(correlation);
		within(CarriedValues.MDC.of(job.headers(), job), entries, work);
	}

	/**
	 * Do something that is about a job that was taken away from its worker.
	 * @param job the job
	 * @param work what to do
	 */
	public static void within(LostJob job, Runnable work) {
		Map<String, String> entries = entries(job.id(), job.tier().queue(), job.type());
		entries.putAll(run(job.attempt(), job.worker()));
		within(CarriedValues.MDC.of(job.headers(), job), entries, work);
	}

	/**
	 * Do something that is about a job that ended without its worker.
	 * @param job the job
	 * @param work what to do
	 */
	public static void within(EndedJob job, Runnable work) {
		within(CarriedValues.MDC.of(job.headers(), job), entries(job.id(), job.tier().queue(), job.type()), work);
	}

	/**
	 * Do something that is about a job that is being enqueued.
	 * @param id the job's id
	 * @param queue its queue
	 * @param type the name of its type
	 * @param work what to do
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
