package io.jobqueue.internal.direct;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobQueueException;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.direct.DirectJob.Ending;
import io.jobqueue.internal.handler.HandlerInvoker;
import io.jobqueue.internal.outbox.Outbox;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.store.ClaimResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.SourceStore;
import io.jobqueue.internal.store.WorkerStore.Worker;
import io.jobqueue.internal.worker.Heartbeat;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.completion.Completion;
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
import io.jobqueue.internal.worker.fetch.ServedTypes;

/**
 * A worker for jobs of sources from one start to the next stop, with its own id. It has
 * executors of its own, and the runtime of any worker.
 */
final class DirectSession {

	private static final Logger logger = LoggerFactory.getLogger(DirectSession.class);

	private static final long CLAIM = 0;

	private static final Duration PAUSES_INTERVAL = Duration.ofMillis(500);

	private final WorkerServices services;

	private final WorkerSettings settings;

	private final Function<String, QueueSettings> queues;

	private final ExecutorService callbacks;

	private final OpenJobs open;

	private final WorkerRuntime runtime;

	private final Heartbeat heartbeat;

	private final PayloadBudget payloads = PayloadBudget.ofHeap();

	private final QueueExecutors executors;

	private final DirectRecorder recorder;

	private final HandlerWork work;

	private final HandlerMonitor monitor;

	private final AtomicLong numbers = new AtomicLong();

	private volatile Set<PauseTarget> paused = Set.of();

	DirectSession(WorkerServices services, WorkerSettings settings, Function<String, QueueSettings> queues,
			Outbox outbox, SourceStore sources) {
		this.services = services;
		this.settings = settings;
		this.queues = queues;
		this.callbacks = Executors.newSingleThreadExecutor(NamedThreads.of(settings.name(), "direct-callback"));
		this.open = new OpenJobs(this.callbacks);
		RefusedJobs refused = new RefusedJobs(this.open);
		this.runtime = new WorkerRuntime(services, new DirectAttemptStore(this.open, outbox, sources), refused,
				settings, queues, (role) -> NamedThreads.of(settings.name(), "direct-" + role));
		this.executors = new QueueExecutors(this::executor);
		this.heartbeat = new Heartbeat(worker(), services, settings,
				new Heartbeat.Activity(this.executors::jobs, List::of, Set::of, () -> false), null);
		this.recorder = new DirectRecorder(this.open, this.runtime.writer(), this.runtime.batcher(), refused);
		this.work = this.runtime.handlerWork(this.recorder, this.heartbeat.cancels(), () -> {
		});
		this.monitor = new HandlerMonitor(this.executors, this.runtime.runner(), queues,
				NamedThreads.daemons(settings.name(), "direct-timeout"), this.runtime.mdc());
	}

	private QueueExecutor executor(String queue) {
		return new QueueExecutor(queue, this.queues.apply(queue).concurrency(),
				new RunTimeEstimate(RunTimeEstimate.MAX_PREFETCH), this.payloads,
				HandlerPool.threads(queue, this.settings), this.work);
	}

	/**
	 * It claims nothing, so that it serves no queue for other workers.
	 */
	private Worker worker() {
		ServedTypes none = ServedTypes.ofAny(Set.of());
		return this.runtime.worker(Set.of(), none.service(this.settings), Map.of(), QueueSettings::concurrency);
	}

	void start(Set<String> queues) {
		this.executors.serve(queues);
		this.runtime.start(this.heartbeat);
		this.runtime.repeat("reading of pauses", this::readPauses, PAUSES_INTERVAL);
		this.runtime.repeat("run time check", this.monitor, HandlerMonitor.INTERVAL);
		logger.info("Worker {} ({}) runs jobs of sources in queues {}", this.settings.name(), this.runtime.id(),
				queues);
	}

	private void readPauses() {
		this.paused = this.heartbeat.pauses().current(true);
	}

	/**
	 * Return whether a queue or a type was paused half a second ago. Jobs do not wait for
	 * the database.
	 */
	boolean isPaused(String queue, String type) {
		return ServedTypes.isPaused(this.paused, queue, type);
	}

	boolean isPaused(String queue) {
		return this.paused.contains(new PauseTarget(queue, null));
	}

	/**
	 * Pass a job to the executor of its queue.
	 */
	void run(DirectJob job) {
		this.open.add(job);
		ClaimResult claimed = new ClaimResult(List.of(claimed(job.job())), List.of(), 0, false, false, Instant.now(),
				null);
		if (!this.executors.take(job.job().queue(), claimed, System.nanoTime())) {
			this.open.end(job.job().id(), Ending.WITHDRAWN);
		}
	}

	/**
	 * Start missing threads, as those that run take longer than expected.
	 */
	void startMoreThreads() {
		this.executors.startMoreThreads();
	}

	/**
	 * Store a job without an attempt.
	 */
	void store(DirectJob job) {
		record(job, new Released(job.job().id(), CLAIM), null);
	}

	/**
	 * Store a job whose attempt was lost, which counts as failed, as that of a job whose
	 * worker is lost.
	 */
	void storeLost(DirectJob job) {
		ClaimedJob claimed = claimed(job.job());
		JobQueueException lost = new JobQueueException(
				"Lost: the job was delivered before, and the outcome of that attempt is not known");
		lost.setStackTrace(new StackTraceElement[0]);
		String error = String.valueOf(lost.getMessage());
		Outcome outcome = claimed.isLastAttempt()
				? new Dead(claimed.id(), CLAIM, error, this.queues.apply(claimed.queue()).keepDead())
				: new RetryLater(claimed.id(), CLAIM, Duration.ZERO, error, false);
		record(job, outcome, lost);
	}

	private void record(DirectJob job, Outcome outcome, @Nullable Throwable cause) {
		this.open.add(job);
		this.recorder.store(new Completion(claimed(job.job()), outcome, cause, null));
	}

	/**
	 * The options of the type take precedence over those of its handler.
	 */
	private ClaimedJob claimed(NewJob job) {
		QueueSettings queue = this.queues.apply(job.queue());
		HandlerInvoker handler = this.services.handlers().find(job.queue(), job.type());
		AttemptOptions options = new AttemptOptions(job.maxAttempts(), job.maxRunTime(), null)
			.or(queue.ofType(job.type()))
			.or((handler != null) ? handler.options() : AttemptOptions.NONE)
			.or(new AttemptOptions(queue.maxAttempts(), queue.maxRunTime(), null));
		return claimed(job, (options.maxAttempts() != null) ? options.maxAttempts() : 0,
				(options.maxRunTime() != null) ? options.maxRunTime() : queue.maxRunTime());
	}

	private ClaimedJob claimed(NewJob job, int maxAttempts, Duration maxRunTime) {
		Instant now = Instant.now();
		String key = (job.keys().unique() != null) ? job.keys().unique().value() : null;
		return new ClaimedJob(job.id(), CLAIM, job.queue(), job.type(), job.payload(), job.priority(), now,
				this.numbers.incrementAndGet(), 1, 0, maxAttempts, maxRunTime, now, job.headers(), key,
				job.keys().ordering(), null, false, false, 0);
	}

	/**
	 * Take jobs back that have not begun.
	 */
	void withdraw(Predicate<DirectJob> which) {
		this.executors.all()
			.forEach((executor) -> executor.removeWaiting((job) -> matches(job, which))
				.forEach((job) -> this.open.end(job.job().id(), Ending.WITHDRAWN)));
	}

	void interrupt(Predicate<DirectJob> which) {
		running(which).forEach(HandlerExecution::interruptForStop);
	}

	/**
	 * End attempts whose handlers did not end when they were interrupted.
	 */
	void abandon(Predicate<DirectJob> which) {
		running(which).forEach(this.work::abandon);
	}

	private Stream<HandlerExecution> running(Predicate<DirectJob> which) {
		return this.executors.executions().stream().filter((execution) -> matches(execution.buffered(), which));
	}

	private boolean matches(BufferedJob buffered, Predicate<DirectJob> which) {
		DirectJob job = this.open.find(buffered.job().id());
		return job != null && which.test(job);
	}

	List<RunningJob> running() {
		return this.executors.running();
	}

	/**
	 * Stop after the sources have ended: what still runs is interrupted.
	 */
	void stop() throws InterruptedException {
		this.runtime.giveUpAfter(Duration.ZERO);
		withdraw((job) -> true);
		interrupt((job) -> true);
		try {
			this.runtime.end(this.heartbeat, CompletableFuture.completedFuture(null));
		}
		finally {
			this.callbacks.shutdown();
		}
	}

}
