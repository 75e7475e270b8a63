package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.worker.execution.BufferedJob;
import io.jobqueue.internal.worker.execution.HandlerExecution;
import io.jobqueue.internal.worker.execution.HandlerMonitor;
import io.jobqueue.internal.worker.execution.HandlerPool;
import io.jobqueue.internal.worker.execution.HandlerWork;
import io.jobqueue.internal.worker.execution.PayloadBudget;
import io.jobqueue.internal.worker.execution.QueueExecutor;
import io.jobqueue.internal.worker.execution.QueueExecutors;
import io.jobqueue.internal.worker.execution.RunTimeEstimate;
import io.jobqueue.internal.worker.execution.RunningJob;
import io.jobqueue.internal.worker.fetch.ClaimRequests;
import io.jobqueue.internal.worker.fetch.FetchLoop;
import io.jobqueue.internal.worker.fetch.JobFetcher;
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * A worker from one start to the next stop, with its own id.
 */
final class WorkerSession implements JobFetcher.Serving {

	private static final Logger logger = LoggerFactory.getLogger(WorkerSession.class);

	private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

	private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

	/**
	 * The maximum number of jobs that a log line names.
	 */
	private static final int NAMED = 10;

	private final WorkerServices services;

	private final WorkerSettings settings;

	private final WorkerRuntime runtime;

	private final ClaimRequests requests;

	private final PayloadBudget payloads = PayloadBudget.ofHeap();

	private final QueueExecutors executors;

	private final JobFetcher fetcher;

	private final Heartbeat heartbeat;

	private final Pauses pauses;

	private final HandlerMonitor monitor;

	private final Drain drain;

	private final HandlerWork work;

	private final FetchLoop fetchLoop;

	private final Thread fetcherThread;

	private final CompletableFuture<Void> lastClaim = new CompletableFuture<>();

	private volatile ServedTypes declared;

	private volatile ServedTypes appliedTypes;

	private volatile Set<PauseTarget> appliedPauses = Set.of();

	WorkerSession(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			ServedTypes types) {
		this.services = services;
		this.settings = settings;
		this.runtime = new WorkerRuntime(services, settings, queues, (role) -> NamedThreads.of(settings.name(), role));
		this.declared = types;
		this.appliedTypes = types;
		this.executors = new QueueExecutors((queue) -> executor(queue, queues.apply(queue)));
		this.requests = new ClaimRequests(types, queues, settings, this.runtime.claims()::nextNumber);
		this.fetcher = this.runtime.fetcher(this.executors, this.requests, this);
		this.heartbeat = new Heartbeat(
				worker(types), services, settings, new Heartbeat.Activity(this.executors::jobs,
						() -> List.of(this.fetcher), this.executors::queues, this.executors::areIdle),
				services.ticker());
		this.pauses = this.heartbeat.pauses();
		this.work = this.runtime.handlerWork(this.heartbeat.cancels(), this.fetcher::wake);
		this.executors.serve(types.queues());
		this.monitor = new HandlerMonitor(this.executors, this.runtime.runner(), queues,
				NamedThreads.daemons(settings.name(), "timeout"), this.runtime.mdc());
		this.drain = new Drain(this.fetcher, this.executors, this.runtime.claims(),
				() -> services.jobs().scanBacklog(this.requests.served()), this.runtime.counter());
		this.fetchLoop = new FetchLoop(this.fetcher);
		this.fetcherThread = NamedThreads.of(settings.name(), "fetcher").newThread(this::fetch);
	}

	/**
	 * Queues with cluster-wide limits do not prefetch: jobs that are claimed in advance
	 * would use up the limit of all workers.
	 */
	private QueueExecutor executor(String queue, QueueSettings settings) {
		RunTimeEstimate runTimes = new RunTimeEstimate(settings.limits().isNone() ? RunTimeEstimate.MAX_PREFETCH : 0,
				this.runtime.runner().batches().jobsPerCall(queue));
		return new QueueExecutor(queue, settings.concurrency(), runTimes, this.payloads,
				HandlerPool.threads(queue, this.settings), this.work);
	}

	WorkerStatus status() {
		return new WorkerStatus(Set.copyOf(this.executors.queues()), this.executors.stuck(), this.executors.halted(),
				this.fetcher.failing(), this.fetchLoop.silence(), this.fetcher.lastPoll());
	}

	Drain drain() {
		return this.drain;
	}

	List<RunningJob> running() {
		return this.executors.running();
	}

	/**
	 * The row of the worker contains paused queues as well, and what it could run of
	 * those that it does not serve.
	 */
	private Worker worker(ServedTypes types) {
		return this.runtime.worker(this.declared.queues(), types.service(this.settings),
				this.services.handlers().typesByQueue(), QueueSettings::concurrency);
	}

	void start() {
		this.services.subscriptions().declare(this.declared.queues()::contains);
		this.services.ticker().start(this.settings.name());
		this.services.signals().subscribe(this.fetcher);
		this.runtime.start(this.heartbeat);
		this.fetcherThread.start();
		this.runtime.repeat("declaration of subscriptions", this.services.subscriptions()::renew,
				this.settings.heartbeatInterval());
		this.runtime.repeat("run time check", this.monitor, HandlerMonitor.INTERVAL);
		this.runtime.repeat("check of overdue claims and jobs", this::checkOverdue,
				BufferedJob.MAX_BUFFER_TIME.dividedBy(2));
		logger.info("Worker {} ({}) serves {}", this.settings.name(), this.runtime.id(), this.executors.queues());
	}

	private void fetch() {
		try {
			this.fetchLoop.run();
		}
		finally {
			releaseLastClaim();
		}
	}

	/**
	 * The handlers that the stop waits for may run for much longer than the last claim.
	 */
	private void releaseLastClaim() {
		try {
			this.runtime.releaseInDoubt();
		}
		catch (RuntimeException ex) {
			logger.debug("Could not release the jobs of claims in doubt; will retry before the deregistration", ex);
		}
		finally {
			this.lastClaim.complete(null);
		}
	}

	/**
	 * Change the served types from the next claim on.
	 */
	void serve(ServedTypes types) {
		this.declared = types;
		this.fetcher.wake();
	}

	@Override
	public boolean isOutdated(boolean claiming) {
		return !this.pauses.current(claiming).equals(this.appliedPauses) || !this.declared.equals(this.appliedTypes);
	}

	/**
	 * The row of the worker is updated before the claims, which rely on it. Handlers that
	 * have begun are not interrupted.
	 */
	@Override
	public void update() {
		ServedTypes latest = this.declared;
		Set<PauseTarget> paused = this.pauses.current(false);
		ServedTypes types = latest.without(paused);
		this.heartbeat.changeTo(worker(types));
		this.executors.serve(types.queues());
		this.requests.serve(types);
		this.executors.all()
			.forEach((executor) -> this.work
				.release(executor.remove((job) -> ServedTypes.isPaused(paused, job.job().queue(), job.job().type()))));
		this.appliedTypes = latest;
		this.appliedPauses = paused;
		logger.info("Worker {} ({}) now serves {}; paused: {}", this.settings.name(), this.runtime.id(), types.queues(),
				paused);
	}

	/**
	 * Signals slow claims, starts missing threads and releases jobs that wait for too
	 * long, also while the fetcher is blocked by the database.
	 */
	private void checkOverdue() {
		this.fetcher.signalSlowClaims();
		this.executors.startMoreThreads();
		this.executors.all()
			.forEach((executor) -> this.work
				.release(executor.removeWaiting((job) -> job.isOlderThan(BufferedJob.MAX_BUFFER_TIME))));
	}

	/**
	 * Stop claiming, wait for handlers up to the shutdown timeout, interrupt the
	 * remaining ones, and release their jobs.
	 */
	void stop() throws InterruptedException {
		this.drain.stop();
		try {
			this.services.ticker().stop();
			endClaimsAndAwaitHandlers();
		}
		finally {
			try {
				releaseRunning();
			}
			finally {
				this.runtime.end(this.heartbeat, lastClaims());
			}
		}
	}

	private void endClaimsAndAwaitHandlers() throws InterruptedException {
		logger.info("Worker {} is stopping; waiting up to {} for {}", this.settings.name(),
				DurationText.of(shutdownTimeout()),
				LogText.counted(this.executors.executions().size(), "running handler"));
		this.runtime.giveUpAfter(shutdownTimeout().plus(AFTER_INTERRUPT));
		this.services.signals().unsubscribe(this.fetcher);
		CompletableFuture<Void> unused = this.fetcher.closeDirectClaims();
		this.fetchLoop.close();
		this.work.release(this.executors.close());
		this.executors.replaceExiting().forEach(this.work::failExiting);
		this.fetcherThread.join(LAST_CLAIM.toMillis());
		if (!this.executors.awaitIdle(shutdownTimeout())) {
			List<HandlerExecution> running = this.executors.executions();
			logger.atLevel(this.settings.releaseOnStop() ? Level.INFO : Level.WARN)
				.log("Worker {} interrupts {} still running after {}: {}", this.settings.name(),
						LogText.counted(running.size(), "handler"), DurationText.of(shutdownTimeout()),
						running.stream().limit(NAMED).map(HandlerExecution::job).toList());
		}
	}

	private Duration shutdownTimeout() {
		return this.settings.releaseOnStop() ? Duration.ZERO : this.settings.shutdownTimeout();
	}

	private void releaseRunning() throws InterruptedException {
		this.work.close();
		this.work.release(this.executors.close());
		this.executors.replaceExiting().forEach(this.work::failExiting);
		this.executors.executions().forEach(HandlerExecution::interruptForStop);
		try {
			this.executors.awaitIdle(AFTER_INTERRUPT);
		}
		finally {
			this.executors.executions().forEach(this::abandon);
		}
	}

	private void abandon(HandlerExecution execution) {
		this.work.abandon(execution);
		this.monitor.abortTransaction(execution);
	}

	/**
	 * Return a stage that completes when no claim is under way.
	 */
	private CompletableFuture<Void> lastClaims() {
		if (!this.fetcherThread.isAlive()) {
			this.lastClaim.complete(null);
		}
		return CompletableFuture.allOf(this.lastClaim, this.fetcher.closeDirectClaims());
	}

}
