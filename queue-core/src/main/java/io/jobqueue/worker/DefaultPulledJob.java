package io.jobqueue.worker;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.ClaimLostException;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandlerRegistry.Handler;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobResult;
import io.jobqueue.PulledJob;
import io.jobqueue.context.CallerContext;
import io.jobqueue.interceptor.Interceptors;
import io.jobqueue.retry.AttemptOptions;
import io.jobqueue.store.Outcome;

/**
 * A pulled job in the hands of the application.
 */
final class DefaultPulledJob<T> implements PulledJob<T> {

	private final PulledExecution run;

	private final T payload;

	private final WorkerRuntime runtime;

	private final CallerContext callers;

	private final Interceptors interceptors;

	private final AtomicBoolean handled = new AtomicBoolean();

	DefaultPulledJob(PulledExecution run, T payload, WorkerRuntime runtime, PullerParts parts) {
		this.run = run;
		this.payload = payload;
		this.runtime = runtime;
		this.callers = parts.worker().context();
		this.interceptors = parts.interceptors();
	}

	@Override
	public T payload() {
		return this.payload;
	}

	@Override
	public JobContext context() {
		return this.run.attempt();
	}

	@Override
	public void end(JobResult result) {
		Objects.requireNonNull(result, "'result' must not be null");
		end(() -> this.runtime.outcomes().of(this.run.attempt(), result), null);
	}

	@Override
	public void fail(Throwable cause) {
		Objects.requireNonNull(cause, "'cause' must not be null");
		end(() -> failed(cause), cause);
	}

	private Outcome failed(Throwable cause) {
		return this.runtime.outcomes().failed(this.run.attempt(), cause, null, AttemptOptions.NONE);
	}

	private void end(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		refuseWithinTransaction();
		this.runtime.mdc().within(this.run.job(), () -> this.run.end(outcome, cause));
	}

	/**
	 * The outcome is written on another connection. Whoever waits for that with one in
	 * hand may have the last.
	 */
	private void refuseWithinTransaction() {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new JobQueueException(
					"%s cannot be ended within a transaction, which it is no part of: end it after the commit"
						.formatted(this.run.job()));
		}
	}

	@Override
	public void run(Handler<? super T> handler) {
		Objects.requireNonNull(handler, "'handler' must not be null");
		refuseWithinTransaction();
		if (this.run.isOver() || !this.handled.compareAndSet(false, true)) {
			throw this.run.lost();
		}
		this.runtime.mdc().within(this.run.job(), () -> this.callers.within(this.run.job(), () -> {
			JobRunner.Result ending = handle(handler);
			this.run.end(ending.outcome(), ending.thrown());
		}));
	}

	private JobRunner.Result handle(Handler<? super T> handler) {
		try {
			JobResult result = this.interceptors.aroundRun(context(), this.run::correlate, () -> result(handler));
			return JobRunner.Result.returned(() -> this.runtime.outcomes().of(this.run.attempt(), result));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return JobRunner.Result.returned(() -> OutcomePolicy.released(this.run.job()));
		}
		catch (Throwable ex) {
			return JobRunner.Result.thrown(ex, () -> failed(ex));
		}
	}

	/**
	 * As everywhere, nothing in particular is a success.
	 */
	private JobResult result(Handler<? super T> handler) throws Exception {
		return Objects.requireNonNullElseGet(handler.handle(this.payload, context()), JobResult::success);
	}

	@Override
	public void close() {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			this.runtime.mdc().within(this.run.job(), this.run::release);
		}
		else if (!this.run.isOver()) {
			release();
		}
	}

	/**
	 * Whoever has lost the job has nothing to give back.
	 */
	private void release() {
		try {
			end(() -> OutcomePolicy.released(this.run.job()), null);
		}
		catch (ClaimLostException ex) {
			// whoever has ended it or taken it away has said so
		}
	}

	@Override
	public String toString() {
		return this.run.job().toString();
	}

}
