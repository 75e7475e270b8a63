package io.jobqueue.worker.execution;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.jobqueue.store.ClaimedJob;

/**
 * The jobs that are to be cancelled, as of the last heartbeat and the signals since.
 * Requests may be missing or already over: the database decides the outcome of a job.
 */
public final class CancelRequests implements Consumer<UUID> {

	private final Supplier<? extends Collection<? extends JobExecution>> runs;

	private final Duration grace;

	private Set<UUID> jobs = Set.of();

	/**
	 * Create it.
	 * @param runs the jobs that run
	 * @param grace how long a handler may go on before it is interrupted
	 */
	public CancelRequests(Supplier<? extends Collection<? extends JobExecution>> runs, Duration grace) {
		this.runs = runs;
		this.grace = grace;
	}

	/**
	 * Replace the requests by those of the database.
	 * @param all the ids of all jobs that are to be cancelled
	 */
	public synchronized void replace(Set<UUID> all) {
		this.jobs = all;
		notifyRuns();
	}

	/**
	 * Add a request, whichever worker it concerns.
	 */
	@Override
	public synchronized void accept(UUID job) {
		Set<UUID> more = new HashSet<>(this.jobs);
		more.add(job);
		replace(more);
	}

	/**
	 * Jobs that have not begun are checked when they do.
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
	 * Return whether a job is to be cancelled.
	 * @param job the job
	 * @return whether it is
	 */
	public synchronized boolean include(ClaimedJob job) {
		return this.jobs.contains(job.id());
	}

}
