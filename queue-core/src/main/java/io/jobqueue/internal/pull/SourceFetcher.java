package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.worker.Heartbeat;
import io.jobqueue.internal.worker.UnpausedTypes;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.JobSink;
import io.jobqueue.internal.worker.execution.JobSink.Capacity;
import io.jobqueue.internal.worker.fetch.ClaimRequests;
import io.jobqueue.internal.worker.fetch.JobFetcher;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * Fetches one job at a time from the queues of a source, on the thread that pulls it. The
 * fetch methods are called by one thread at a time; all other methods are safe for use by
 * several threads.
 */
final class SourceFetcher implements JobSink {

	private final Set<String> queues;

	private final Heartbeat heartbeat;

	private final OutsideTransaction outside;

	private final ClaimLedger claims;

	private final Runnable typeRecording;

	private final JobFetcher fetcher;

	private boolean typesRecorded;

	private @Nullable BufferedJob job;

	private @Nullable Throwable failure;

	private volatile boolean more;

	private volatile boolean closed;

	/**
	 * Create a fetcher.
	 * @param heartbeat reads the paused queues and types, and registers the worker in the
	 * database if it is unknown there
	 * @param typeRecording stores the types in the database before the first claim
	 */
	SourceFetcher(WorkerRuntime runtime, OutsideTransaction outside, ServedTypes types, ClaimRequests requests,
			Heartbeat heartbeat, Runnable typeRecording) {
		this.queues = types.queues();
		this.heartbeat = heartbeat;
		this.outside = outside;
		this.claims = runtime.claims();
		this.typeRecording = typeRecording;
		this.fetcher = runtime.fetcher(this, requests, new UnpausedTypes(types, requests, heartbeat.pauses()));
	}

	JobFetcher fetcher() {
		return this.fetcher;
	}

	/**
	 * Return the names of the queues, including paused ones.
	 */
	Set<String> queues() {
		return this.queues;
	}

	/**
	 * Claim a job that a signal or an earlier poll has found.
	 * @return the job, {@code null} if there is none
	 */
	@Nullable BufferedJob fetchKnown() {
		return this.outside.call(this::fetch);
	}

	/**
	 * Claim a job, with a poll if none is known.
	 * @return the job, {@code null} if there is none
	 */
	@Nullable BufferedJob fetchAny() {
		return this.outside.call(() -> {
			BufferedJob known = fetch();
			if (known != null) {
				return known;
			}
			this.fetcher.pollInNextStep();
			return fetch();
		});
	}

	private @Nullable BufferedJob fetch() {
		if (this.closed) {
			return null;
		}
		recordTypes();
		this.job = null;
		this.failure = null;
		step();
		if (this.job == null) {
			throwFailure();
		}
		return this.job;
	}

	private void recordTypes() {
		if (!this.typesRecorded) {
			this.typeRecording.run();
			this.typesRecorded = true;
		}
	}

	/**
	 * If a step fails after it has accepted a job, the job is released.
	 */
	private void step() {
		try {
			this.more = this.fetcher.step().isZero();
		}
		catch (RuntimeException | Error ex) {
			if (this.job != null) {
				this.claims.fail(this.job.job().claim());
			}
			throw ex;
		}
	}

	private void throwFailure() {
		if (this.failure instanceof Error error) {
			throw error;
		}
		if (this.failure instanceof RuntimeException exception) {
			throw exception;
		}
	}

	/**
	 * Return the time until another fetch may find a job without a signal.
	 */
	Duration remaining() {
		return this.more ? Duration.ZERO : this.fetcher.remaining();
	}

	/**
	 * This fetcher claims one job at a time, and only of the types of its source, so it
	 * does not represent the backlog.
	 */
	@Override
	public boolean sharesBacklog() {
		return false;
	}

	/**
	 * If all queues have an outage, all of them are tried, so that the caller receives
	 * the failure.
	 */
	@Override
	public List<Map<String, Capacity>> reserve(Predicate<String> permitted) {
		List<String> open = queues().stream().filter(permitted).toList();
		Map<String, Capacity> capacities = new LinkedHashMap<>();
		(open.isEmpty() ? queues() : open).forEach((queue) -> capacities.put(queue, Capacity.of(1, 0)));
		return List.of(capacities);
	}

	/**
	 * After the close, no thread receives the job.
	 */
	@Override
	public boolean take(String queue, ClaimResult claimed, long since) {
		if (this.closed) {
			return false;
		}
		if (claimed.refused()) {
			this.heartbeat.run();
		}
		if (!claimed.jobs().isEmpty()) {
			this.job = BufferedJob.of(claimed, since).get(0);
		}
		return true;
	}

	@Override
	public void failed(Throwable failure) {
		this.failure = failure;
	}

	/**
	 * Stop claiming. The job of a claim that is under way is released.
	 */
	void close() {
		this.closed = true;
		this.fetcher.wake();
	}

	boolean isClosed() {
		return this.closed;
	}

}
