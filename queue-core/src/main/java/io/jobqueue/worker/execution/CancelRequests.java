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
 * The jobs of this worker that are to be cancelled, as far as it has heard. It may be
 * late, or have heard of a request that is over: what becomes of a job is for the
 * database to say.
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
	 * Take all requests that there are.
	 * @param all the ids of all jobs that are to be cancelled
	 */
	public synchronized void hear(Set<UUID> all) {
		this.jobs = all;
		tell();
	}

	/**
	 * Take a request that may concern another worker.
	 */
	@Override
	public synchronized void accept(UUID job) {
		Set<UUID> more = new HashSet<>(this.jobs);
		more.add(job);
		hear(more);
	}

	/**
	 * Those that have not begun yet are asked for when they do.
	 */
	private void tell() {
		if (!this.jobs.isEmpty()) {
			this.runs.get()
				.stream()
				.filter((run) -> concern(run.job()))
				.forEach((run) -> run.requestCancel(this.grace));
		}
	}

	/**
	 * Return whether a job is to be cancelled.
	 * @param job the job
	 * @return whether it is
	 */
	public synchronized boolean concern(ClaimedJob job) {
		return this.jobs.contains(job.id());
	}

}
