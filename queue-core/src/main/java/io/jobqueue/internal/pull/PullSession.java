package io.jobqueue.internal.pull;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobSource;
import io.jobqueue.PulledJob;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.StorableDuration;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.worker.Heartbeat;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.completion.Completion;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.HandlerMonitor;
import io.jobqueue.internal.worker.execution.OutcomePolicy;
import io.jobqueue.internal.worker.execution.RunningJob;
import io.jobqueue.internal.worker.fetch.ClaimRequests;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * A worker for pulled jobs, from the first pull to the next stop.
 */
final class PullSession {

	private static final Logger logger = LoggerFactory.getLogger(PullSession.class);

	private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

	private final PullerServices services;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final UUID service = UUID.randomUUID();

	private final WorkerRuntime runtime;

	private final PulledExecutions executions = new PulledExecutions();

	private final SourcePollers pollers;

	private final SingleJobRunner singleJobs;

	private final Heartbeat heartbeat;

	private Map<String, Set<String>> recordedTypes = Map.of();

	PullSession(PullerServices services, WorkerSettings settings, Function<String, QueueSettings> queues) {
		this.services = services;
		this.settings = settings;
		this.queues = queues;
		this.runtime = new WorkerRuntime(services.worker(), settings, queues,
				(role) -> NamedThreads.daemons(settings.name(), "pull-" + role));
		this.pollers = new SourcePollers(services.worker().signals(), this::poller);
		this.heartbeat = new Heartbeat(worker(Map.of()), services.worker(), settings,
				new Heartbeat.Activity(this.executions::all, this.pollers::fetchers, this.pollers::queues, () -> false),
				null);
		this.singleJobs = new SingleJobRunner(services.worker(), queues, this.runtime, this.executions,
				this.runtime.batcher(), (job, handler) -> handler.get(), this.heartbeat);
	}

	private Worker worker(Map<String, Set<String>> types) {
		return this.runtime.worker(types.keySet(), this.service, types, (settings) -> null);
	}

	/**
	 * Start the background tasks. This sends no statement.
	 */
	void start() {
		this.services.listen().run();
		this.runtime.start(this.heartbeat);
		this.runtime.repeat("run time check", new PulledJobMonitor(this.executions, this.runtime, this.queues),
				HandlerMonitor.INTERVAL);
		this.runtime.repeat("release of in-doubt claims", this.runtime::releaseInDoubt, BufferedJob.MAX_BUFFER_TIME);
		this.runtime.repeat("closing of idle sources", this::closeIdle, SourcePollers.KEEP_IDLE);
		logger.info("Worker {} ({}) started for pulled jobs", this.settings.name(), this.runtime.id());
	}

	boolean runHere(UUID job, String queue, String type, boolean keyed, Runnable begins) throws Throwable {
		return this.singleJobs.run(job, queue, type, keyed, begins);
	}

	private SourcePoller poller(JobSource<?> source) {
		SourceTypes types = new SourceTypes(source, this.services.types(), this.services.codecs());
		ServedTypes served = types.served();
		ClaimRequests requests = new ClaimRequests(served, this.queues, this.settings,
				this.runtime.claims()::nextNumber);
		return new SourcePoller(types,
				new SourceFetcher(this.runtime, new OutsideTransaction(this.services.worker().transactionManager()),
						served, requests, this.heartbeat, this::recordTypes));
	}

	/**
	 * Store the types that are pulled, and their queues, in the row of the worker.
	 */
	private synchronized void recordTypes() {
		Map<String, Set<String>> all = this.pollers.types();
		if (!all.equals(this.recordedTypes)) {
			this.heartbeat.changeTo(worker(all));
			if (this.recordedTypes.isEmpty()) {
				this.heartbeat.run();
			}
			this.recordedTypes = all;
		}
	}

	private void closeIdle() {
		this.pollers.closeIdle();
		recordTypes();
	}

	List<RunningJob> running() {
		return this.executions.running();
	}

	<T> @Nullable PulledJob<T> tryPull(JobSource<T> source) {
		return pull(source, (poller) -> poller.take());
	}

	<T> @Nullable PulledJob<T> pull(JobSource<T> source, Duration atMost) throws InterruptedException {
		long deadline = System.nanoTime() + StorableDuration.shortened(atMost).toNanos();
		return pull(source, (poller) -> take(poller, deadline));
	}

	private <T, X extends Exception> @Nullable PulledJob<T> pull(JobSource<T> source, PollerCall<X> taking) throws X {
		SourcePoller poller = this.pollers.enter(source);
		try {
			PulledJob<T> pulled = null;
			for (BufferedJob job = taking.from(poller); job != null && pulled == null;) {
				pulled = pulled(poller, job);
				job = (pulled == null) ? taking.from(poller) : job;
			}
			return pulled;
		}
		finally {
			this.pollers.leave(source);
		}
	}

	/**
	 * Take a job and handle an interrupt: during a claim, it has no effect or makes the
	 * driver fail.
	 */
	private @Nullable BufferedJob take(SourcePoller poller, long deadline) throws InterruptedException {
		BufferedJob job;
		try {
			job = poller.take(deadline);
		}
		catch (RuntimeException ex) {
			if (Thread.interrupted()) {
				throw (InterruptedException) new InterruptedException("The pull was interrupted").initCause(ex);
			}
			throw ex;
		}
		if (job != null && Thread.interrupted()) {
			release(poller, job);
			throw new InterruptedException("The pull was interrupted; its job is released");
		}
		return job;
	}

	/**
	 * Return the pulled job to the application.
	 * @return the job, {@code null} if its payload cannot be read, its cancellation was
	 * requested or this session is stopping
	 */
	@SuppressWarnings("unchecked")
	private <T> @Nullable PulledJob<T> pulled(SourcePoller poller, BufferedJob job) {
		PulledExecution execution = new PulledExecution(job, this.runtime.leases(), this.runtime.batcher(),
				this.executions);
		if (!this.executions.add(execution)) {
			release(poller, job);
			return null;
		}
		if (this.heartbeat.cancels().include(job.job())) {
			execution.release();
			return null;
		}
		this.runtime.jobLogger().begins(job.job(), job.waited());
		try {
			return new DefaultPulledJob<>(execution, (T) poller.types().read(execution), this.runtime, this.services);
		}
		catch (Throwable ex) {
			this.runtime.mdc().within(job.job(), () -> unreadable(execution, ex));
			return null;
		}
	}

	/**
	 * During a stop, the batcher may have ended already, so the claim is marked as failed
	 * and released at the end.
	 */
	private void release(SourcePoller poller, BufferedJob job) {
		if (poller.isClosed()) {
			this.runtime.claims().fail(job.job().claim());
		}
		else {
			this.runtime.batcher().submit(new Completion(job.job(), OutcomePolicy.released(job.job()), null, null));
		}
	}

	private void unreadable(PulledExecution execution, Throwable ex) {
		if (execution.decide()) {
			execution.endFor(() -> this.runtime.outcomes().failed(execution, ex, null, AttemptOptions.NONE), ex);
		}
	}

	/**
	 * End all waiting pulls, wait for pulled jobs to be ended up to the shutdown timeout,
	 * and release the rest.
	 */
	void stop() throws InterruptedException {
		Duration timeout = this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
		logger.info("Worker {} is stopping; waiting up to {} for {} to be ended", this.settings.name(),
				DurationText.of(timeout), LogText.counted(this.executions.all().size(), "pulled job"));
		this.runtime.giveUpAfter(timeout.plus(LAST_CLAIM));
		this.pollers.close();
		this.executions.close();
		try {
			this.pollers.awaitUnused(LAST_CLAIM);
			this.executions.awaitNone(timeout);
		}
		finally {
			this.executions.all().forEach((execution) -> execution.log(this.runtime.mdc(), () -> abandon(execution)));
			this.runtime.end(this.heartbeat, this.pollers.ended());
		}
	}

	private void abandon(PulledExecution execution) {
		if (execution.decide()) {
			logger.warn("{} was pulled but not ended; it is released", execution.job());
			execution.endFor(() -> OutcomePolicy.interrupted(execution.job()), null);
		}
	}

	/**
	 * A way to take a job from a poller.
	 *
	 * @param <X> the exception that it may throw
	 */
	@FunctionalInterface
	private interface PollerCall<X extends Exception> {

		@Nullable BufferedJob from(SourcePoller poller) throws X;

	}

}
