package io.jobqueue.pull;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.jobqueue.policy.WorkerSettings;
import io.jobqueue.store.ClaimResult;
import io.jobqueue.store.OutsideTransaction;
import io.jobqueue.store.PauseTarget;
import io.jobqueue.worker.Pauses;
import io.jobqueue.worker.WorkerParts;
import io.jobqueue.worker.WorkerRuntime;
import io.jobqueue.worker.completion.ClaimLedger;
import io.jobqueue.worker.execution.BufferedJob;
import io.jobqueue.worker.execution.Capacity;
import io.jobqueue.worker.execution.JobSink;
import io.jobqueue.worker.fetch.ClaimRequests;
import io.jobqueue.worker.fetch.JobFetcher;
import io.jobqueue.worker.fetch.PollSchedule;
import io.jobqueue.worker.fetch.ServedTypes;

/**
 * Fetches one job at a time from the queues of a source, on the thread that pulls it. The
 * fetch methods are called by one thread at a time; all other methods are safe for use by
 * several threads.
 */
final class SourceFetcher implements JobSink {

	private final ServedTypes declared;

	private final ClaimRequests requests;

	private final Pauses pauses;

	private final OutsideTransaction outside;

	private final ClaimLedger claims;

	private final Runnable queueRecording;

	private final Runnable registration;

	private final JobFetcher fetcher;

	private Set<PauseTarget> appliedPauses = Set.of();

	private boolean queuesRecorded;

	private @Nullable BufferedJob job;

	private @Nullable Throwable failure;

	private volatile boolean more;

	private volatile boolean closed;

	/**
	 * Create a fetcher.
	 * @param pauses the paused queues and types
	 * @param queueRecording stores the queues in the database before the first claim
	 * @param registration registers the worker in the database if it is unknown there
	 */
	SourceFetcher(WorkerRuntime runtime, WorkerParts parts, WorkerSettings settings, ServedTypes types,
			ClaimRequests requests, Pauses pauses, Runnable queueRecording, Runnable registration) {
		this.declared = types;
		this.requests = requests;
		this.pauses = pauses;
		this.outside = new OutsideTransaction(parts.transactionManager());
		this.claims = runtime.claims();
		this.queueRecording = queueRecording;
		this.registration = registration;
		this.fetcher = new JobFetcher(runtime.id(), parts.jobs(), parts.signals(), this, requests, runtime.claims(),
				new PollSchedule(settings.pollInterval(), settings.maxPollInterval(), parts.wakeUpWorks()),
				runtime.steps(), this::checkPauses);
	}

	JobFetcher fetcher() {
		return this.fetcher;
	}

	/**
	 * Return the names of the queues, including paused ones.
	 */
	Set<String> queues() {
		return this.declared.queues();
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
		recordQueues();
		this.job = null;
		this.failure = null;
		step();
		if (this.job == null) {
			throwFailure();
		}
		return this.job;
	}

	private void recordQueues() {
		if (!this.queuesRecorded) {
			this.queueRecording.run();
			this.queuesRecorded = true;
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

	private boolean checkPauses(boolean claiming) {
		Set<PauseTarget> paused = this.pauses.current(claiming);
		boolean changed = !paused.equals(this.appliedPauses);
		if (changed) {
			this.fetcher.change(() -> serve(paused));
		}
		return changed;
	}

	private void serve(Set<PauseTarget> paused) {
		this.requests.serve(this.declared.without(paused));
		this.appliedPauses = paused;
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
			this.registration.run();
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
