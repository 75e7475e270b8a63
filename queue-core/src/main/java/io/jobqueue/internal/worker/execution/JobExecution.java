package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

import io.jobqueue.BatchInfo;
import io.jobqueue.ClaimLostException;
import io.jobqueue.JobContext;
import io.jobqueue.Priority;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.payload.Headers;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.AttemptStore.ProgressReport;
import io.jobqueue.internal.store.BoundTransactions.BoundTransaction;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.StorableDuration;
import io.jobqueue.internal.worker.completion.Completion;

/**
 * One attempt of a claimed job, and its context for the handler. Its outcome is decided
 * once: by its handler, by the end of its lease, or by the stop of the worker.
 */
public abstract class JobExecution implements JobContext {

	private static final Logger logger = LoggerFactory.getLogger(JobExecution.class);

	private static final Duration UNDECIDED_DELAY = Duration.ofMinutes(1);

	private static final Duration RESERVE = Duration.ofSeconds(1);

	private static final int MAX_MESSAGE_LENGTH = 1_000;

	private final BufferedJob job;

	private final Leases leases;

	private final long since = System.nanoTime();

	private final AtomicBoolean decided = new AtomicBoolean();

	private volatile long deadline;

	private volatile @Nullable Long until;

	private volatile @Nullable Duration extension;

	private volatile @Nullable Long cancelBy;

	private volatile Map<String, String> correlation = Map.of();

	private volatile @Nullable BoundTransaction transaction;

	private @Nullable ProgressReport report;

	private boolean slow;

	/**
	 * Create a job execution.
	 * @param job the job
	 * @param leases the leases of the worker
	 */
	public JobExecution(BufferedJob job, Leases leases) {
		this.job = job;
		this.leases = leases;
		this.deadline = job.deadline();
	}

	/**
	 * Return the claimed job.
	 * @return the job
	 */
	public final ClaimedJob job() {
		return this.job.job();
	}

	/**
	 * Return the job as it was buffered.
	 * @return the job
	 */
	public final BufferedJob buffered() {
		return this.job;
	}

	@Override
	public final UUID id() {
		return job().id();
	}

	@Override
	public final @Nullable String key() {
		return job().key();
	}

	@Override
	public final String queue() {
		return job().queue();
	}

	@Override
	public final String type() {
		return job().type();
	}

	@Override
	public final Priority priority() {
		return Priority.of(job().priority());
	}

	@Override
	public final int attempt() {
		return job().attempt();
	}

	@Override
	public final int maxAttempts() {
		return job().maxAttempts();
	}

	@Override
	public final Instant enqueuedAt() {
		return job().createdAt();
	}

	@Override
	public final Instant runAt() {
		return job().runAt();
	}

	@Override
	public final @Nullable Instant scheduledAt() {
		return Headers.scheduledAt(job().headers());
	}

	@Override
	public final Map<String, String> headers() {
		return Headers.decode(job().headers());
	}

	@Override
	public final @Nullable BatchInfo batch() {
		return this.leases.batch(job());
	}

	@Override
	public final <T> @Nullable T result(String step, Class<T> type) {
		return this.leases.result(job(), step, type);
	}

	/**
	 * Return a description of the run for monitoring.
	 * @return the running job
	 */
	public final RunningJob running() {
		return new RunningJob(queue(), type(), priority(), age());
	}

	/**
	 * Return the run time: the time since the run began, until its handler has ended.
	 * @return the time
	 */
	public final Duration age() {
		Long end = this.until;
		return Duration.ofNanos(((end != null) ? end : System.nanoTime()) - this.since);
	}

	/**
	 * Return the time since the run began, also after its handler has ended.
	 */
	final Duration held() {
		return Duration.ofNanos(System.nanoTime() - this.since);
	}

	/**
	 * Note that the handler has ended, while the outcome waits for that of others.
	 */
	final void handlerEnded() {
		this.until = System.nanoTime();
	}

	/**
	 * Note the transaction of the queue in which the handler runs.
	 */
	final void runsIn(@Nullable BoundTransaction transaction) {
		this.transaction = transaction;
	}

	/**
	 * Return the transaction of the queue in which the handler runs or has run,
	 * {@code null} if there is none.
	 */
	final @Nullable BoundTransaction runsIn() {
		return this.transaction;
	}

	/**
	 * Return when the run began, by the database's clock.
	 * @return the time, {@code null} if that of the claim is not known
	 */
	final @Nullable Instant startedAt() {
		return this.job.at(this.since);
	}

	/**
	 * Return whether the run began before a {@link System#nanoTime}.
	 */
	final boolean hasBegunBefore(long nanoTime) {
		return this.since - nanoTime < 0;
	}

	/**
	 * Extend the lease before the handler starts, unless it starts for the first time and
	 * the job was claimed recently: the maximum run time counts from the start of the
	 * handler, not from the claim.
	 * @return {@code false} if the lease could not be extended and the handler must not
	 * start
	 */
	public final boolean beginLease() {
		if (this.job.isClaimedRecently() && !this.job.begun()) {
			return true;
		}
		leaseBegins(job().maxRunTime());
		return this.leases.begin(List.of(job()), job().maxRunTime()).contains(id());
	}

	/**
	 * Jobs of the same call or transaction must not lose their claims before this one.
	 */
	@Override
	public final void extend(Duration duration) {
		Assert.isTrue(duration.compareTo(Duration.ZERO) > 0, "'duration' must be positive");
		Duration lease = StorableDuration.shortened(duration);
		List<? extends JobExecution> held = together().stream().filter((each) -> !each.isOver()).toList();
		Set<UUID> extended = isOver() ? Set.of() : this.leases.extend(jobs(held), lease);
		if (!extended.contains(id())) {
			throw lost();
		}
		held.stream().filter((each) -> extended.contains(each.id())).forEach((each) -> each.extended(lease));
	}

	/**
	 * Return the executions whose claims last as long as that of this one.
	 */
	List<? extends JobExecution> together() {
		return List.of(this);
	}

	static List<ClaimedJob> jobs(Collection<? extends JobExecution> executions) {
		List<ClaimedJob> jobs = new ArrayList<>(executions.size());
		executions.forEach((execution) -> jobs.add(execution.job()));
		return jobs;
	}

	final void extended(Duration lease) {
		this.extension = lease;
		leaseBegins(lease);
	}

	/**
	 * Return the exception for a job on which this worker has no claim any more.
	 * @return the exception
	 */
	public final ClaimLostException lost() {
		return new ClaimLostException(job().queue(), job().type(), job().id());
	}

	final void leaseBegins(Duration duration) {
		this.deadline = System.nanoTime() + duration.toNanos();
	}

	/**
	 * Return whether the lease ends within the given time.
	 */
	final boolean endsWithin(Duration time) {
		return this.deadline - System.nanoTime() < time.toNanos();
	}

	/**
	 * Compare the ends of the leases.
	 */
	static int compareDeadlines(JobExecution one, JobExecution other) {
		return Long.signum(one.deadline - other.deadline);
	}

	/**
	 * Return the limit of the run time and the setting that it comes from.
	 * @param settings the settings of the job's queue
	 * @return the limit as text
	 */
	public final String limit(QueueSettings settings) {
		Duration extended = this.extension;
		if (extended != null) {
			return "the %s of JobContext.extend".formatted(DurationText.of(extended));
		}
		Duration limit = job().maxRunTime();
		return "its maximum run time of %s (%s)".formatted(DurationText.of(limit), source(limit, settings));
	}

	/**
	 * The source is derived from the value, so a job's own limit that equals a setting is
	 * attributed to the setting.
	 */
	private String source(Duration limit, QueueSettings settings) {
		if (limit.equals(settings.ofType(job().type()).maxRunTime())) {
			return "set by jobqueue.queues.%s.types.%s.max-run-time".formatted(job().queue(), job().type());
		}
		return limit.equals(settings.maxRunTime()) ? "set by " + settings.maxRunTimeSetting()
				: "set by the JobRequest or the @JobHandler";
	}

	/**
	 * Return whether the lease ended more than the given time ago.
	 */
	final boolean isOverdueFor(Duration time) {
		return System.nanoTime() - this.deadline > time.toNanos();
	}

	/**
	 * Return whether the claim is held until another job, which begins now, has ended or
	 * exceeded its maximum run time. The lease in the database ends 2 seconds later than
	 * here, a part of which the end of the other attempt takes.
	 */
	final boolean outlives(BufferedJob next) {
		return next.deadline() - this.deadline <= RESERVE.toNanos();
	}

	/**
	 * Return whether the run has exceeded the time after which a warning is logged. This
	 * returns {@code true} at most once for each run, and is called by one thread at a
	 * time.
	 * @param settings the settings of the job's queue
	 * @return {@code true} if the warning is to be logged now
	 */
	public final boolean becomesSlow(QueueSettings settings) {
		Duration limit = settings.warnAfter();
		if (this.slow || limit == null || age().compareTo(limit) <= 0) {
			return false;
		}
		this.slow = true;
		return true;
	}

	/**
	 * Decide the outcome as a timeout if the lease is over.
	 * @return {@code true} if this call has decided the outcome
	 */
	public final boolean timesOut() {
		return isOverdueFor(Duration.ZERO) && decide();
	}

	/**
	 * Decide the outcome: the first caller determines it.
	 * @return {@code true} for the first caller
	 */
	public final boolean decide() {
		return this.decided.compareAndSet(false, true);
	}

	/**
	 * Return whether the outcome of the job is decided. The result of its handler has no
	 * effect then.
	 * @return {@code true} if it is decided
	 */
	public final boolean isOver() {
		return this.decided.get();
	}

	/**
	 * Return the completion to record. If the outcome cannot be determined, the attempt
	 * counts as failed.
	 * @param outcome supplies the outcome
	 * @param cause the exception that led to the outcome, {@code null} if there was none
	 * @return the completion
	 */
	public final Completion completion(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		Duration runTime = age();
		try {
			return new Completion(job(), outcome.get().withStart(startedAt()), cause, runTime, this.correlation, null);
		}
		catch (Throwable ex) {
			logger.error("Could not determine the outcome of {}; its attempt counts as failed", job(), ex);
			return new Completion(job(), undecided(job()).withStart(startedAt()), (cause != null) ? cause : ex, runTime,
					this.correlation, null);
		}
	}

	private static Outcome undecided(ClaimedJob job) {
		String error = "The outcome of the job could not be determined; see the log of the worker";
		return job.isLastAttempt() ? new Dead(job.id(), job.claim(), error, null)
				: new RetryLater(job.id(), job.claim(), UNDECIDED_DELAY, error, false);
	}

	/**
	 * Set the entries of the MDC that identify the trace of the run.
	 * @param entries the entries
	 */
	public final void correlate(Map<String, String> entries) {
		this.correlation = entries;
	}

	/**
	 * Log lines about the run, with the MDC entries of its trace once they are set.
	 * @param mdc sets the MDC entries of the job
	 * @param lines logs the lines
	 */
	public final void log(JobMdc mdc, Runnable lines) {
		mdc.within(job(), this.correlation, lines);
	}

	@Override
	public final void progress(int percent, @Nullable String message) {
		int shown = Math.max(0, Math.min(100, percent));
		String text = ErrorText.storable((message != null) ? message : "", MAX_MESSAGE_LENGTH);
		report(new ProgressReport(id(), job().claim(), shown, text));
	}

	private synchronized void report(ProgressReport latest) {
		this.report = latest;
	}

	/**
	 * Return the latest progress that has not been written, {@code null} if there is
	 * none.
	 */
	final synchronized @Nullable ProgressReport report() {
		return this.report;
	}

	/**
	 * Discard a report that was written, unless there is a later one.
	 */
	final synchronized void reported(ProgressReport written) {
		if (written.equals(this.report)) {
			this.report = null;
		}
	}

	/**
	 * Request the cancellation of the job. Only the first request sets the time of the
	 * interrupt.
	 * @param grace the time until the handler is interrupted
	 */
	public final synchronized void requestCancel(Duration grace) {
		if (this.cancelBy == null) {
			this.cancelBy = System.nanoTime() + grace.toNanos();
		}
	}

	@Override
	public final boolean cancelRequested() {
		return this.cancelBy != null;
	}

	/**
	 * Return whether a cancellation was requested and its grace time is over.
	 */
	final boolean isCancelOverdue() {
		Long by = this.cancelBy;
		return by != null && System.nanoTime() - by >= 0;
	}

	@Override
	public final String toString() {
		return job().toString();
	}

}
