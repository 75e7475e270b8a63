package io.jobqueue.worker.execution;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.jobqueue.logging.HandlerFrames;
import io.jobqueue.store.Outcome;
import io.jobqueue.worker.completion.CompletionBatcher;

/**
 * A job that a handler's thread is running.
 */
public final class HandlerExecution extends JobExecution {

	private final CompletionBatcher batcher;

	private final Thread thread = Thread.currentThread();

	private volatile boolean stopping;

	private boolean over;

	/**
	 * Create a handler execution.
	 * @param held the job
	 * @param batcher what records outcomes
	 * @param leases the leases of the worker
	 */
	public HandlerExecution(BufferedJob held, CompletionBatcher batcher, Leases leases) {
		super(held, leases);
		this.batcher = batcher;
	}

	Thread thread() {
		return this.thread;
	}

	/**
	 * Return the handler's frames on its thread, to be logged.
	 */
	Throwable stackTrace() {
		Throwable trace = new Throwable("Thread " + this.thread.getName());
		trace.setStackTrace(HandlerFrames.of(this.thread.getStackTrace()).toArray(StackTraceElement[]::new));
		return trace;
	}

	/**
	 * A handler that was interrupted by a stop is not to blame for its failure.
	 * @param ending how the run ended
	 */
	public void finish(JobRunner.Result ending) {
		if (decide()) {
			boolean interrupted = ending.thrown() != null && this.stopping && !job().atMostOnce();
			complete(interrupted ? () -> OutcomePolicy.released(job()) : ending.outcome(), ending.thrown());
		}
	}

	/**
	 * End the run as far as the database is concerned.
	 * @param outcome what decides the outcome
	 * @param cause what led to the outcome, {@code null} if nothing went wrong
	 */
	public void complete(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		this.batcher.submit(completion(outcome, cause));
	}

	/**
	 * Interrupt the handler because the worker stops.
	 */
	public void interruptForStop() {
		this.stopping = true;
		interrupt();
	}

	/**
	 * The thread may have gone on to another job.
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
