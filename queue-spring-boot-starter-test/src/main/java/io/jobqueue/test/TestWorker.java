package io.jobqueue.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.concurrent.BackgroundTasks;
import io.jobqueue.internal.concurrent.NamedThreads;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.pull.SingleJobRunner;
import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.WorkerServices;
import io.jobqueue.internal.worker.completion.Completion;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.execution.JobExecution;
import io.jobqueue.internal.worker.execution.JobRunner.Result;
import io.jobqueue.internal.worker.execution.OutcomePolicy;
import io.jobqueue.internal.worker.execution.ProgressReports;
import io.jobqueue.test.StoredJobs.WaitingJob;

/**
 * A worker that claims jobs by their ids and runs them on the calling thread. It is
 * registered for the duration of a call.
 */
final class TestWorker implements CompletionRecorder, AutoCloseable {

	/**
	 * No heartbeat follows, and a debugger may halt the handler.
	 */
	private static final Duration TIMEOUT = Duration.ofDays(1);

	private final WorkerRuntime runtime;

	private final WorkerStore workers;

	private final JobSignals signals;

	private final SingleJobRunner runner;

	private final RunningHandler handler;

	private final ProgressReports progress;

	private final @Nullable BackgroundTasks tasks;

	private final @Nullable HandlerSavepoint savepoint;

	private final @Nullable CrashPoint crash;

	private final List<JobOutcome> outcomes = new ArrayList<>();

	private @Nullable WaitingJob lastJob;

	private int attempt;

	/**
	 * Create and register a worker.
	 * @param services the services of a worker
	 * @param workers registers the worker on the connection of the test
	 * @param settings the settings of the worker
	 * @param queues the settings of each queue
	 * @param savepoint calls handlers within the transaction of the test, {@code null}
	 * without one
	 * @param crash where runs end, {@code null} for runs that end with an outcome
	 */
	TestWorker(WorkerServices services, WorkerStore workers, WorkerSettings settings,
			Function<String, QueueSettings> queues, @Nullable HandlerSavepoint savepoint, @Nullable CrashPoint crash) {
		WorkerServices own = new WorkerServices(services.jobs(), services.batches(), workers, services.statistics(),
				services.handlers(), new CrashingTransactionManager(services.transactionManager(), crash),
				services.transactions(), services.signals(), services.events(), services.context(), services.ticker(),
				services.subscriptions(), services.results(), services.wakeUpWorks(), services.times());
		this.runtime = new WorkerRuntime(own, settings.withTimeout(TIMEOUT), queues,
				(role) -> NamedThreads.daemons("test", role));
		this.workers = workers;
		this.savepoint = savepoint;
		this.crash = crash;
		this.runner = new SingleJobRunner(own, queues, this.runtime, this, this::call, this::register);
		this.handler = new RunningHandler(settings.cancelGrace(),
				(job) -> services.handlers().batch(job.queue(), job.type()) == null);
		this.progress = new ProgressReports(this.runtime.id(), services.jobs(), this.handler::executions);
		this.signals = services.signals();
		this.signals.subscribe(this.handler);
		this.tasks = (savepoint == null) ? recordProgress() : null;
	}

	/**
	 * Within the transaction of a test, no other thread can record it.
	 */
	private BackgroundTasks recordProgress() {
		BackgroundTasks added = new BackgroundTasks(1, NamedThreads.daemons("test", "progress"));
		added.repeat("Recording progress of a test", this.progress, ProgressReports.INTERVAL);
		return added;
	}

	private Result call(JobExecution execution, Supplier<Result> work) {
		this.attempt = execution.job().attempt();
		if (this.crash == CrashPoint.BEFORE_HANDLER) {
			return crashed(execution.job(), this.crash);
		}
		Supplier<Result> run = () -> this.handler.run(execution, work);
		Result result = (this.savepoint != null) ? this.savepoint.call(run) : run.get();
		this.progress.run();
		boolean failed = result.thrown() != null && !(result.thrown() instanceof SimulatedCrash);
		return (this.crash == null || failed) ? result : crashed(execution.job(), this.crash);
	}

	private static Result crashed(ClaimedJob job, CrashPoint point) {
		return new Result(new SimulatedCrash(point), () -> OutcomePolicy.released(job));
	}

	private void register() {
		this.workers.register(this.runtime.worker(List.of(), UUID.randomUUID(), Map.of(), (settings) -> null), false);
	}

	/**
	 * Run a job.
	 * @return {@code false} if it could not be claimed
	 */
	boolean run(WaitingJob job) throws Exception {
		this.lastJob = job;
		try {
			return this.runner.run(job.id(), job.queue(), job.type(), job.keyed(), () -> {
			});
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	List<JobOutcome> outcomes() {
		return this.outcomes;
	}

	JobOutcome lastOutcome() {
		return this.outcomes.get(this.outcomes.size() - 1);
	}

	/**
	 * Return the last job that was to run.
	 */
	WaitingJob lastJob() {
		return Objects.requireNonNull(this.lastJob);
	}

	/**
	 * Return the number of the last attempt, 0 if no job could be claimed.
	 */
	int attempt() {
		return this.attempt;
	}

	@Override
	public void submit(Completion completion) {
		complete(completion);
	}

	/**
	 * The outcome of a run that ended in a crash is lost.
	 */
	@Override
	public Boolean complete(Completion completion) {
		if (completion.cause() instanceof SimulatedCrash) {
			return true;
		}
		CompletionResult written = this.runtime.writer().write(List.of(completion), false);
		UUID job = completion.job().id();
		this.outcomes.add(JobOutcome.of(completion, written.cancelled().contains(job)));
		return written.jobs().contains(job);
	}

	/**
	 * The reaper takes back a job that is still claimed.
	 */
	@Override
	public void close() {
		this.signals.unsubscribe(this.handler);
		if (this.tasks != null) {
			this.tasks.shutdownNow();
		}
		this.workers.checkOut(this.runtime.id());
	}

}
