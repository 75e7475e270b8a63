package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.BackgroundTasks;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.AttemptStore;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.WorkerStore.HandledQueue;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.worker.Heartbeat.Activity;
import io.jobqueue.internal.worker.completion.ClaimExtension;
import io.jobqueue.internal.worker.completion.ClaimLedger;
import io.jobqueue.internal.worker.completion.CompletionBatcher;
import io.jobqueue.internal.worker.completion.CompletionEvents;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.completion.CompletionWakeUps;
import io.jobqueue.internal.worker.completion.CompletionWriter;
import io.jobqueue.internal.worker.completion.JobLogger;
import io.jobqueue.internal.worker.completion.LeftToReaper;
import io.jobqueue.internal.worker.completion.RetryProbes;
import io.jobqueue.internal.worker.completion.RunCounter;
import io.jobqueue.internal.worker.completion.StatisticsRecorder;
import io.jobqueue.internal.worker.completion.UnwrittenOutcomes;
import io.jobqueue.internal.worker.execution.CancelRequests;
import io.jobqueue.internal.worker.execution.HandlerTransactions;
import io.jobqueue.internal.worker.execution.HandlerWork;
import io.jobqueue.internal.worker.execution.JobRunner;
import io.jobqueue.internal.worker.execution.JobSink;
import io.jobqueue.internal.worker.execution.Leases;
import io.jobqueue.internal.worker.execution.OutcomePolicy;
import io.jobqueue.internal.worker.execution.ProgressReports;
import io.jobqueue.internal.worker.execution.TransactionSharing;
import io.jobqueue.internal.worker.fetch.ClaimRequests;
import io.jobqueue.internal.worker.fetch.JobFetcher;
import io.jobqueue.internal.worker.fetch.PollSchedule;

/**
 * The runtime of one registered worker: its id, its claims, the recording of its
 * outcomes, and its background tasks until it is deregistered.
 */
public final class WorkerRuntime {

	private static final Logger logger = LoggerFactory.getLogger(WorkerRuntime.class);

	private static final Duration LAST_WRITES = Duration.ofSeconds(5);

	private static final Duration LAST_CLAIM = Duration.ofSeconds(2);

	/**
	 * The time for the completion thread to end after it has given up, so that listeners
	 * receive the lost outcomes before the JVM exits.
	 */
	private static final Duration LAST_CALLBACKS = Duration.ofSeconds(1);

	private final UUID id = UUID.randomUUID();

	private final ClaimLedger claims;

	private final WorkerServices services;

	private final AttemptStore attempts;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final JobMdc mdc;

	private final RetryProbes probes;

	private final JobLogger jobLogger;

	private final RunCounter counter = new RunCounter();

	private final StatisticsRecorder statistics;

	private final OutcomePolicy outcomes;

	private final JobRunner runner;

	private final Leases leases;

	private final CompletionWriter writer;

	private final CompletionBatcher batcher;

	private final Thread completionThread;

	private final BackgroundTasks tasks;

	/**
	 * Create the runtime of a worker that claims its jobs.
	 * @param services the services of the worker
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 * @param threads returns the thread factory for a role
	 */
	public WorkerRuntime(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			Function<String, ThreadFactory> threads) {
		this(services, services.jobs(), new LeftToReaper(), settings, queues, threads);
	}

	/**
	 * Create the runtime of a worker.
	 * @param services the services of the worker
	 * @param attempts records the attempts of its jobs
	 * @param unwritten logs outcomes that are not written
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 * @param threads returns the thread factory for a role
	 */
	public WorkerRuntime(WorkerServices services, AttemptStore attempts, UnwrittenOutcomes unwritten,
			WorkerSettings settings, Function<String, QueueSettings> queues, Function<String, ThreadFactory> threads) {
		this.services = services;
		this.attempts = attempts;
		this.settings = settings;
		this.queues = queues;
		this.claims = new ClaimLedger(settings.timeout());
		this.mdc = new JobMdc(settings.name());
		this.probes = new RetryProbes(queues);
		this.outcomes = new OutcomePolicy(queues, services.results());
		this.runner = new JobRunner(services.handlers(), new HandlerTransactions(this.id, services.jobs(),
				services.signals(), services.transactionManager(), services.transactions()), this.outcomes);
		this.leases = new Leases(this.id, attempts, services.batches()::findByJob, services.results(),
				services.transactionManager());
		this.jobLogger = new JobLogger(this.mdc, services.times());
		this.writer = new CompletionWriter(this.id, attempts, this.claims, this.probes, this.mdc, unwritten,
				List.of(this.counter, new CompletionWakeUps(services.signals(), queues), this.jobLogger,
						new CompletionEvents(services.events())));
		this.statistics = new StatisticsRecorder(this.id, services.statistics(), this.counter);
		this.batcher = new CompletionBatcher(this.writer, this.mdc);
		this.completionThread = threads.apply("completion").newThread(this.batcher);
		this.tasks = new BackgroundTasks(6, threads.apply("heartbeat"));
	}

	/**
	 * Return the id of the worker, a new one for each start.
	 * @return the id
	 */
	public UUID id() {
		return this.id;
	}

	/**
	 * Return the claims of this worker.
	 * @return the claims
	 */
	public ClaimLedger claims() {
		return this.claims;
	}

	/**
	 * Release the jobs of claims whose results never arrived.
	 */
	public void releaseInDoubt() {
		this.claims.release(this.id, this.services.jobs(), this.services.signals());
	}

	/**
	 * Create a fetcher of this worker.
	 * @param sink receives the jobs
	 * @param requests creates the requests for claims
	 * @param serving updates what is served
	 * @return the fetcher
	 */
	public JobFetcher fetcher(JobSink sink, ClaimRequests requests, JobFetcher.Serving serving) {
		PollSchedule schedule = new PollSchedule(this.settings.pollInterval(), this.settings.maxPollInterval(),
				this.services.wakeUpWorks());
		return new JobFetcher(this.id, this.services.jobs(), this.services.signals(), sink, requests, this.claims,
				schedule, this.jobLogger, serving);
	}

	/**
	 * Create the work of the executors of this worker.
	 * @param cancels the requests to cancel jobs
	 * @param capacityFreed called when an executor has capacity again
	 */
	HandlerWork handlerWork(CancelRequests cancels, Runnable capacityFreed) {
		return handlerWork(this.batcher, cancels, capacityFreed);
	}

	/**
	 * Create the work of executors whose outcomes go through a recorder.
	 * @param recorder records the outcomes
	 * @param cancels the requests to cancel jobs
	 * @param capacityFreed called when an executor has capacity again
	 * @return the work
	 */
	public HandlerWork handlerWork(CompletionRecorder recorder, CancelRequests cancels, Runnable capacityFreed) {
		return new HandlerWork(this.runner, this.leases, recorder, this.jobLogger, this.mdc, this.services.context(),
				cancels, new TransactionSharing(this.queues, this.runner), capacityFreed);
	}

	RunCounter counter() {
		return this.counter;
	}

	/**
	 * Return the logger of the steps of jobs, which also measures them.
	 * @return the logger
	 */
	public JobLogger jobLogger() {
		return this.jobLogger;
	}

	/**
	 * Return the component that sets the MDC entries of jobs.
	 * @return the MDC entries
	 */
	public JobMdc mdc() {
		return this.mdc;
	}

	/**
	 * Return the component that runs handlers.
	 * @return the runner
	 */
	public JobRunner runner() {
		return this.runner;
	}

	/**
	 * Return the policy that decides the outcomes of attempts.
	 * @return the policy
	 */
	public OutcomePolicy outcomes() {
		return this.outcomes;
	}

	/**
	 * Return the leases that this worker holds.
	 * @return the leases
	 */
	public Leases leases() {
		return this.leases;
	}

	/**
	 * Return the writer that records completions on the calling thread.
	 * @return the writer
	 */
	public CompletionWriter writer() {
		return this.writer;
	}

	/**
	 * Return the batcher that records completions.
	 * @return the batcher
	 */
	public CompletionBatcher batcher() {
		return this.batcher;
	}

	/**
	 * Return the worker as it is stored in the database.
	 * @param queues the names of the queues that it serves
	 * @param service the id of the served types and priorities, the same for all workers
	 * that serve the same
	 * @param types the types that it can run, by queue, also of queues that it does not
	 * serve
	 * @param concurrency returns the number of handlers of a queue, {@code null} if the
	 * application pulls its jobs
	 * @return the worker
	 */
	public Worker worker(Collection<String> queues, UUID service, Map<String, Set<String>> types,
			Function<QueueSettings, @Nullable Integer> concurrency) {
		Map<String, HandledQueue> handled = new TreeMap<>();
		types.forEach((queue, names) -> {
			QueueSettings settings = this.queues.apply(queue);
			handled.put(queue, new HandledQueue(names, concurrency.apply(settings), this.settings.minPriority(),
					this.settings.maxPriority(), settings.limits()));
		});
		return new Worker(this.id, this.settings.name(), queues, service, this.settings.timeout(),
				SharedQueues.limits(queues, this.queues), handled, this.settings.application(), null);
	}

	/**
	 * Start to write outcomes, and to send heartbeats.
	 * @param heartbeat the heartbeat
	 */
	public void start(Heartbeat heartbeat) {
		Activity activity = heartbeat.activity();
		heartbeat.subscribe();
		this.completionThread.start();
		repeat("claim extension", new ClaimExtension(this.id, this.services.jobs(), this.claims, this.batcher),
				ClaimExtension.INTERVAL);
		repeat("heartbeat", heartbeat, this.settings.heartbeatInterval());
		repeat("recording of progress", new ProgressReports(this.id, this.attempts, activity.executions()),
				ProgressReports.INTERVAL);
		this.tasks.repeat(name("recording of statistics"), this.statistics, StatisticsRecorder.delay(),
				StatisticsRecorder.INTERVAL);
		repeat("release of held-back retries",
				() -> this.probes.end(activity.queues().get(), this.services.jobs(), this.services.signals()),
				this.settings.heartbeatInterval());
	}

	/**
	 * Run a task at once, and then at a fixed rate until {@link #end}.
	 * @param name the name of the task in the log
	 * @param task the task
	 * @param interval the time from one start to the next
	 */
	public void repeat(String name, Runnable task, Duration interval) {
		this.tasks.repeat(name(name), task, interval);
	}

	private String name(String task) {
		return "Background task '%s' of worker %s".formatted(task, this.settings.name());
	}

	/**
	 * Stop recording completions 5 seconds after the given time, so that an outage of the
	 * database does not delay the stop any longer. A failure is logged, so that the stop
	 * continues without a thread for this.
	 * @param time the time that handlers have to end
	 */
	public void giveUpAfter(Duration time) {
		try {
			this.tasks.once(this.batcher::giveUp, time.plus(LAST_WRITES));
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Could not limit the time of the stop of worker {}; an outage of the database may delay it",
					this.settings.name(), ex);
		}
	}

	/**
	 * Write the remaining outcomes for up to 5 seconds, end the background tasks and
	 * deregister the worker, even if the thread is interrupted.
	 * @param heartbeat the heartbeat
	 * @param lastClaims completes when no claim is under way
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void end(Heartbeat heartbeat, CompletableFuture<Void> lastClaims) throws InterruptedException {
		heartbeat.unsubscribe();
		this.batcher.close();
		try {
			this.completionThread.join(LAST_WRITES.toMillis());
		}
		finally {
			this.batcher.giveUp();
			this.tasks.shutdownNow();
			leave(lastClaims);
		}
	}

	/**
	 * The worker is deregistered after the background tasks, as a running heartbeat would
	 * register it again. While the answer to a claim is outstanding, it stays registered:
	 * the reaper would count the attempts of its jobs, although none has run.
	 */
	private void leave(CompletableFuture<Void> lastClaims) throws InterruptedException {
		try {
			this.completionThread.join(LAST_CALLBACKS.toMillis());
			if (!this.tasks.shutdown(LAST_WRITES)) {
				logger.warn("A background task of worker {} did not stop", this.settings.name());
			}
			lastClaims.get(LAST_CLAIM.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("A claim of worker {} ({}) still waits for the database; after the answer, the worker"
					+ " releases the claimed jobs and is deregistered", this.settings.name(), this.id);
		}
		finally {
			CompletableFuture<Void> unused = lastClaims.thenRun(this::deregister);
		}
	}

	/**
	 * Release the jobs of claims in doubt and deregister the worker. Jobs that it still
	 * holds afterwards count as lost. A failure is logged; other workers remove this one
	 * after its timeout.
	 */
	private void deregister() {
		new OutsideTransaction(this.services.transactionManager()).run(this::checkOut);
	}

	/**
	 * A thread of the application may run this, which must not touch the connection of
	 * its transaction.
	 */
	private void checkOut() {
		try {
			releaseInDoubt();
			this.services.workers().checkOut(this.id);
			recordLastStatistics();
			logger.info("Worker {} ({}) has stopped", this.settings.name(), this.id);
		}
		catch (RuntimeException | Error ex) {
			logger.warn("Could not deregister worker {}; other workers remove it after {}: {}", this.settings.name(),
					DurationText.of(this.settings.timeout()), FailureText.of(ex));
			logger.debug("Could not deregister a worker", ex);
		}
	}

	/**
	 * The database has just answered, so that this does not delay a stop during an
	 * outage.
	 */
	private void recordLastStatistics() {
		try {
			this.statistics.run();
		}
		catch (RuntimeException ex) {
			logger.warn("Could not record the last statistics of worker {}: {}", this.settings.name(),
					FailureText.of(ex));
			logger.debug("Could not record the last statistics", ex);
		}
	}

}
