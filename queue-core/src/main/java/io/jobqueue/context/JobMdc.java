package io.jobqueue.context;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import io.jobqueue.store.ClaimedJob;

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
		Map<String, String> before = MDC.getCopyOfContextMap();
		MDC.setContextMap(entries(job, before));
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

	private Map<String, String> entries(ClaimedJob job, @Nullable Map<String, String> before) {
		Map<String, String> entries = new HashMap<>();
		if (before != null) {
			entries.putAll(before);
		}
		entries.putAll(CarriedValues.MDC.of(job));
		entries.put("job.id", job.id().toString());
		entries.put("job.queue", job.queue());
		entries.put("job.type", job.type());
		entries.put("job.attempt", Integer.toString(job.attempt()));
		entries.put("job.worker", this.worker);
		return entries;
	}

}
