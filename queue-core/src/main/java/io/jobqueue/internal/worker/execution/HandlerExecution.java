package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.logging.HandlerFrames;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.worker.completion.CompletionBatcher;

/**
 * The execution of a job on a handler thread.
 */
public final class HandlerExecution extends JobExecution {

	private static final Set<String> EXITING = Set.of("java.lang.Runtime.exit",
			"org.springframework.boot.SpringApplication.exit",
			"org.springframework.context.support.AbstractApplicationContext.close");

	private final CompletionBatcher batcher;

	private final Thread thread = Thread.currentThread();

	private final @Nullable HandlerExecution previous;

	private volatile boolean stopping;

	private volatile boolean submitted;

	private boolean over;

	HandlerExecution(BufferedJob job, CompletionBatcher batcher, Leases leases) {
		this(job, batcher, leases, null);
	}

	/**
	 * Create an execution in the transaction of another one, which has ended.
	 */
	HandlerExecution(BufferedJob job, CompletionBatcher batcher, Leases leases, @Nullable HandlerExecution previous) {
		super(job, leases);
		this.batcher = batcher;
		this.previous = previous;
	}

	/**
	 * Return the executions in this transaction, up to this one.
	 */
	List<HandlerExecution> transaction() {
		List<HandlerExecution> executions = new ArrayList<>();
		for (HandlerExecution each = this; each != null; each = each.previous) {
			executions.add(each);
		}
		return executions;
	}

	/**
	 * The jobs before this one in its transaction keep their claims until it ends.
	 */
	@Override
	public void extend(Duration duration) {
		super.extend(duration);
		if (this.previous != null) {
			this.previous.extend(duration);
		}
	}

	Thread thread() {
		return this.thread;
	}

	/**
	 * Return the current stack frames of the handler, for the log.
	 */
	Throwable stackTrace() {
		Throwable trace = new Throwable("Thread " + this.thread.getName());
		trace.setStackTrace(HandlerFrames.of(this.thread.getStackTrace()).toArray(StackTraceElement[]::new));
		return trace;
	}

	/**
	 * Return whether the handler is ending the JVM or its application, or closes an
	 * application context: it waits for the stop of the worker.
	 */
	boolean isExiting() {
		return Stream.of(this.thread.getStackTrace())
			.anyMatch((frame) -> EXITING.contains(frame.getClassName() + "." + frame.getMethodName()));
	}

	/**
	 * Submit the outcome of the run, unless it is already decided. If the stop of the
	 * worker has interrupted the handler and it threw, the job is released and the
	 * attempt is not counted, except for at-most-once jobs.
	 */
	void finish(JobRunner.Result result) {
		if (decide()) {
			boolean interrupted = result.thrown() != null && this.stopping && !job().atMostOnce();
			complete(interrupted ? () -> OutcomePolicy.interrupted(job()) : result.outcome(), result.thrown());
		}
	}

	/**
	 * Submit the completion of the job. This waits while the backlog of the batcher is
	 * full.
	 * @param outcome supplies the outcome
	 * @param cause the exception that led to the outcome, {@code null} if there was none
	 */
	void complete(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		this.batcher.submit(completion(outcome, cause));
		this.submitted = true;
	}

	/**
	 * Return whether the outcome of a job in this transaction is submitted and the lease
	 * is over: callbacks after the commit may still run then.
	 */
	boolean isOverdueWithOutcome() {
		return isOverdueFor(Duration.ZERO) && !hasEnded() && transaction().stream().anyMatch((each) -> each.submitted);
	}

	/**
	 * Submit the completion of the job, whose transaction cannot commit any more. The
	 * jobs whose handlers have ended in it are released; their attempts are not counted.
	 * @param outcome supplies the outcome
	 * @param cause the exception that led to the outcome, {@code null} if there was none
	 */
	void endTransaction(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		complete(outcome, cause);
		releaseUndecided();
	}

	/**
	 * Release the jobs in this transaction whose outcome is not decided. Their attempts
	 * are not counted.
	 */
	void releaseUndecided() {
		for (HandlerExecution each : transaction()) {
			if (each.decide()) {
				each.complete(() -> OutcomePolicy.interrupted(each.job()), null);
			}
		}
	}

	/**
	 * Interrupt the handler for the stop of the worker.
	 */
	public void interruptForStop() {
		this.stopping = true;
		interrupt();
	}

	/**
	 * Interrupt the handler, unless it has ended: its thread may run another job by then.
	 */
	synchronized void interrupt() {
		if (!this.over) {
			this.thread.interrupt();
		}
	}

	synchronized void end() {
		this.over = true;
	}

	synchronized boolean hasEnded() {
		return this.over;
	}

}
