package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.internal.store.ClaimedJob;

/**
 * The requests to cancel jobs, as of the last heartbeat and the signals since. The set
 * may lack requests and contain obsolete ones: the database decides whether a job is
 * cancelled.
 */
public final class CancelRequests {

	private final Supplier<? extends Collection<? extends JobExecution>> runs;

	private final Duration grace;

	private Set<UUID> jobs = Set.of();

	/**
	 * Create an empty set of requests.
	 * @param runs supplies the running jobs
	 * @param grace the time between a request and the interrupt of the handler
	 */
	public CancelRequests(Supplier<? extends Collection<? extends JobExecution>> runs, Duration grace) {
		this.runs = runs;
		this.grace = grace;
	}

	/**
	 * Replace the requests with those of the database, and pass them to the running jobs.
	 * @param all the ids of all jobs to cancel
	 */
	public synchronized void replace(Set<UUID> all) {
		this.jobs = all;
		notifyRuns();
	}

	/**
	 * Add a request. The job may be claimed by another worker.
	 * @param job the id of the job
	 */
	public synchronized void accept(UUID job) {
		Set<UUID> more = new HashSet<>(this.jobs);
		more.add(job);
		replace(more);
	}

	/**
	 * Jobs that have not begun are checked when they begin.
	 */
	private void notifyRuns() {
		if (!this.jobs.isEmpty()) {
			this.runs.get()
				.stream()
				.filter((run) -> include(run.job()))
				.forEach((run) -> run.requestCancel(this.grace));
		}
	}

	/**
	 * Return whether there is a request to cancel a job.
	 * @param job the job
	 * @return {@code true} if there is one
	 */
	public synchronized boolean include(ClaimedJob job) {
		return this.jobs.contains(job.id());
	}

}
