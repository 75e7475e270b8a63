package io.jobqueue.internal.direct;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.direct.DirectJob.Ending;

/**
 * The jobs that have not ended.
 */
final class OpenJobs {

	private final Map<UUID, DirectJob> jobs = new ConcurrentHashMap<>();

	private final Executor callbacks;

	/**
	 * @param callbacks runs the callbacks of jobs that are stored: the thread that writes
	 * must not wait for itself where a callback stores the next job
	 */
	OpenJobs(Executor callbacks) {
		this.callbacks = callbacks;
	}

	void add(DirectJob job) {
		this.jobs.put(job.job().id(), job);
	}

	@Nullable DirectJob find(UUID id) {
		return this.jobs.get(id);
	}

	/**
	 * End a job that is not stored, on the calling thread.
	 */
	void end(UUID id, Ending ending) {
		DirectJob job = this.jobs.remove(id);
		if (job != null) {
			job.end(ending);
		}
	}

	/**
	 * End a job whose outcome was written, or could not be written, on another thread.
	 */
	void written(UUID id, Ending ending) {
		DirectJob job = this.jobs.remove(id);
		if (job != null) {
			this.callbacks.execute(() -> job.end(ending));
		}
	}

}
