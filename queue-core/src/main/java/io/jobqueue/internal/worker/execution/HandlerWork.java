package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.context.CallerContext;
import io.jobqueue.internal.handler.BatchLimits;
import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.worker.completion.Completion;
import io.jobqueue.internal.worker.completion.CompletionRecorder;
import io.jobqueue.internal.worker.completion.JobLogger;

/**
 * Runs the jobs of a worker on handler threads, from the start of the attempt to the
 * submission of its outcome.
 */
public final class HandlerWork implements QueueExecutor.Work {

	private static final Logger logger = LoggerFactory.getLogger(HandlerWork.class);

	private final JobRunner runner;

	private final Leases leases;

	private final CompletionRecorder recorder;

	private final JobLogger jobLogger;

	private final JobMdc mdc;

	private final CallerContext context;

	private final CancelRequests cancels;

	private final TransactionSharing sharing;

	private final Runnable capacityFreed;

	private volatile boolean closed;

	/**
	 * Create the work of one worker.
	 * @param runner calls the handlers
	 * @param leases the leases of the worker
	 * @param recorder records the outcomes
	 * @param jobLogger logs and measures the start of attempts
	 * @param mdc sets the MDC entries of a job
	 * @param context restores the context that was captured at enqueueing
	 * @param cancels the requests to cancel jobs
	 * @param sharing decides which jobs share a transaction
	 * @param capacityFreed called when an executor has capacity again
	 */
	public HandlerWork(JobRunner runner, Leases leases, CompletionRecorder recorder, JobLogger jobLogger, JobMdc mdc,
			CallerContext context, CancelRequests cancels, TransactionSharing sharing, Runnable capacityFreed) {
		this.runner = runner;
		this.leases = leases;
		this.recorder = recorder;
		this.jobLogger = jobLogger;
		this.mdc = mdc;
		this.context = context;
		this.cancels = cancels;
		this.sharing = sharing;
		this.capacityFreed = capacityFreed;
	}

	@Override
	public CompletionRecorder recorder() {
		return this.recorder;
	}

	@Override
	public Leases leases() {
		return this.leases;
	}

	@Override
	public @Nullable BatchLimits batch(BufferedJob job) {
		BatchLimits limits = this.runner.batches().limits(job.job());
		return job.isFresh() ? limits : null;
	}

	@Override
	public void run(Turn turn) {
		if (turn.execution().call().size() > 1) {
			new BatchRun(turn, this).run();
			return;
		}
		SharedTransaction shared = (this.sharing.includes(turn.execution().buffered()) && turn.hasNext()) ? share()
				: null;
		if (shared != null) {
			new SharedRun(turn, shared, this).run();
		}
		else {
			HandlerExecution execution = turn.execution();
			within(execution, () -> execution.finish(attempt(execution, this.runner::run)));
		}
	}

	/**
	 * Without a transaction, the job runs alone, and is postponed if it gets none either.
	 */
	private @Nullable SharedTransaction share() {
		try {
			return this.runner.share(this::within);
		}
		catch (RuntimeException ex) {
			logger.debug("Could not begin a shared transaction", ex);
			return null;
		}
	}

	/**
	 * Run code in the context of a job.
	 */
	void within(JobExecution execution, Runnable code) {
		Map<String, String> before = this.mdc.enter(execution.job());
		try {
			this.context.within(execution.job(), code);
		}
		catch (Throwable ex) {
			execution.log(this.mdc, () -> logger.error("Execution of {} failed unexpectedly", execution.job(), ex));
		}
		finally {
			JobMdc.restore(before);
		}
	}

	/**
	 * Run code for several jobs, which may have been enqueued in different contexts.
	 */
	<R> R withinCall(List<HandlerExecution> jobs, Supplier<R> code) {
		Map<String, String> before = this.mdc.enterCall(jobs.get(0).job());
		try {
			return code.get();
		}
		finally {
			JobMdc.restore(before);
		}
	}

	/**
	 * Run the handler of a job. A job whose handler has not begun when a stop interrupts
	 * the others is released, even if it is delivered at most once.
	 */
	JobRunner.Result attempt(HandlerExecution execution, Function<JobExecution, JobRunner.Result> handler) {
		if (!execution.buffered().begun()) {
			this.jobLogger.begins(execution.job(), execution.buffered().waited());
		}
		boolean begins = !this.cancels.include(execution.job()) && execution.beginLease() && !this.closed;
		return begins ? handler.apply(execution)
				: JobRunner.Result.returned(() -> OutcomePolicy.released(execution.job()));
	}

	/**
	 * Return the jobs of a call that can begin. The others are released: those that are
	 * to be cancelled, or whose lease cannot be extended.
	 */
	List<HandlerExecution> ready(List<HandlerExecution> jobs) {
		List<HandlerExecution> ready = new ArrayList<>();
		List<HandlerExecution> refused = new ArrayList<>();
		Set<UUID> held = beginLeases(jobs);
		for (HandlerExecution each : jobs) {
			if (!each.buffered().begun()) {
				this.jobLogger.begins(each.job(), each.buffered().waited());
			}
			boolean begins = !this.closed && held.contains(each.id()) && !this.cancels.include(each.job());
			(begins ? ready : refused).add(each);
		}
		refuse(refused);
		return ready;
	}

	/**
	 * The run time of all is limited by the shortest one.
	 */
	private Set<UUID> beginLeases(List<HandlerExecution> jobs) {
		Set<UUID> held = new HashSet<>();
		List<HandlerExecution> late = new ArrayList<>();
		for (HandlerExecution each : jobs) {
			if (each.buffered().isClaimedRecently() && !each.buffered().begun()) {
				held.add(each.id());
			}
			else {
				late.add(each);
			}
		}
		if (!late.isEmpty()) {
			held.addAll(extend(late,
					JobExecution.jobs(jobs)
						.stream()
						.map(ClaimedJob::maxRunTime)
						.min(Duration::compareTo)
						.orElseThrow()));
		}
		return held;
	}

	/**
	 * Extend the leases of jobs that wait for their run on this thread.
	 * @return the ids of the jobs whose lease was extended
	 */
	Set<UUID> extend(Collection<HandlerExecution> jobs, Duration time) {
		Set<UUID> extended = this.leases.begin(JobExecution.jobs(jobs), time);
		jobs.stream().filter((each) -> extended.contains(each.id())).forEach((each) -> each.leaseBegins(time));
		return extended;
	}

	/**
	 * Release jobs that do not begin, without counting their attempts.
	 */
	void refuse(List<HandlerExecution> jobs) {
		for (HandlerExecution each : jobs) {
			each.finish(JobRunner.Result.returned(() -> OutcomePolicy.released(each.job())));
		}
	}

	TransactionSharing sharing() {
		return this.sharing;
	}

	JobRunner runner() {
		return this.runner;
	}

	@Override
	public void release(List<BufferedJob> jobs) {
		for (BufferedJob each : jobs) {
			ClaimedJob job = each.job();
			this.recorder.submit(new Completion(job,
					each.begun() ? OutcomePolicy.interrupted(job) : OutcomePolicy.released(job), null, null));
		}
	}

	@Override
	public void capacityFreed() {
		this.capacityFreed.run();
	}

	/**
	 * Start no further handlers: jobs that are about to begin are released.
	 */
	public void close() {
		this.closed = true;
	}

	/**
	 * Fail the attempt of a handler that ends the JVM or its application, unless its
	 * outcome is decided.
	 * @param execution the run
	 */
	public void failExiting(HandlerExecution execution) {
		end(execution, "ends the JVM or its application", this.runner::exited);
	}

	/**
	 * End the attempt of a handler that did not end when it was interrupted for a stop,
	 * unless its outcome is decided.
	 * @param execution the run
	 */
	public void abandon(HandlerExecution execution) {
		end(execution, "did not end when interrupted", this.runner::abandoned);
	}

	private void end(HandlerExecution execution, String why, Function<HandlerExecution, JobRunner.Result> ending) {
		execution.log(this.mdc, () -> {
			if (execution.decide()) {
				logger.warn("The handler of {} {}; the stop ends its attempt", execution.job(), why);
				JobRunner.Result result = ending.apply(execution);
				execution.endThread(result.outcome(), result.thrown());
			}
			else {
				execution.releaseUndecided();
			}
		});
	}

}
