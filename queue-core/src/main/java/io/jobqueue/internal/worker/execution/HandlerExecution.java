package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.logging.HandlerFrames;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.worker.completion.CompletionRecorder;

/**
 * The execution of a job on a handler thread, whose call may handle further jobs.
 */
public final class HandlerExecution extends JobExecution {

	private static final Set<String> EXITING = Set.of("java.lang.Runtime.exit",
			"org.springframework.boot.SpringApplication.exit",
			"org.springframework.context.support.AbstractApplicationContext.close");

	private final CompletionRecorder recorder;

	private final Thread thread = Thread.currentThread();

	private final List<HandlerExecution> others;

	private volatile List<HandlerExecution> call = List.of(this);

	private volatile boolean othersWait;

	private volatile boolean stopping;

	private volatile boolean submitted;

	private boolean over;

	HandlerExecution(BufferedJob job, CompletionRecorder recorder, Leases leases) {
		this(job, recorder, leases, List.of());
	}

	/**
	 * Create an execution whose thread holds the claims of others as well: those before
	 * it in its transaction, or those that run after it because they failed together.
	 */
	HandlerExecution(BufferedJob job, CompletionRecorder recorder, Leases leases, List<HandlerExecution> others) {
		super(job, leases);
		this.recorder = recorder;
		this.others = others;
	}

	/**
	 * Let one call handle several executions.
	 * @return the one whose lease ends first, for which the call is monitored
	 */
	static HandlerExecution callTogether(List<HandlerExecution> executions) {
		executions.forEach((each) -> each.call = executions);
		return Collections.min(executions, JobExecution::compareDeadlines);
	}

	/**
	 * Return the executions that one call handles.
	 */
	List<HandlerExecution> call() {
		return this.call;
	}

	/**
	 * Return the executions that end if the thread does not come back: those of its call
	 * and the others whose claims it holds.
	 */
	@Override
	List<HandlerExecution> together() {
		List<HandlerExecution> together = new ArrayList<>(this.others);
		together.addAll(this.call);
		return together;
	}

	/**
	 * Note that the others run after this one.
	 */
	void precedesOthers() {
		this.othersWait = true;
	}

	/**
	 * Return the executions that wait for the end of this one.
	 */
	List<HandlerExecution> waiting() {
		return this.othersWait ? this.others : List.of();
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
	 * Submit the completion of the job. This waits while the backlog of the recorder is
	 * full.
	 * @param outcome supplies the outcome
	 * @param cause the exception that led to the outcome, {@code null} if there was none
	 */
	void complete(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		this.recorder.submit(completion(outcome, cause));
		this.submitted = true;
	}

	/**
	 * Return whether the outcome of a job in this transaction is submitted and the lease
	 * is over: callbacks after the commit may still run then.
	 */
	boolean isOverdueWithOutcome() {
		return isOverdueFor(Duration.ZERO) && !hasEnded() && together().stream().anyMatch((each) -> each.submitted);
	}

	/**
	 * Submit the completion of the job, whose thread may not come back. The others that
	 * the thread holds are released, and their attempts are not counted. So is this one
	 * if its call handles several jobs, any of which may be the cause: a released job
	 * that had begun runs alone.
	 * @param outcome supplies the outcome
	 * @param cause the exception that led to the outcome, {@code null} if there was none
	 */
	void endThread(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		complete((this.call.size() > 1) ? () -> OutcomePolicy.interrupted(job()) : outcome, cause);
		releaseUndecided();
	}

	/**
	 * Release the jobs that the thread holds and whose outcome is not decided. Their
	 * attempts are not counted.
	 */
	void releaseUndecided() {
		for (HandlerExecution each : together()) {
			if (each.decide()) {
				each.complete(() -> OutcomePolicy.interrupted(each.job()), null);
			}
		}
	}

	boolean isStopping() {
		return this.stopping;
	}

	/**
	 * Interrupt the handler for the stop of the worker, which cuts off all jobs of its
	 * call.
	 */
	public void interruptForStop() {
		this.call.forEach((each) -> each.stopping = true);
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
