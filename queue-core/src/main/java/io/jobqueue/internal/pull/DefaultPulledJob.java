package io.jobqueue.internal.pull;

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
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.worker.WorkerRuntime;
import io.jobqueue.internal.worker.execution.JobRunner;
import io.jobqueue.internal.worker.execution.OutcomePolicy;

/**
 * The {@link PulledJob} that is returned to the application.
 */
final class DefaultPulledJob<T> implements PulledJob<T> {

	private final PulledExecution execution;

	private final T payload;

	private final WorkerRuntime runtime;

	private final PullerServices services;

	private final AtomicBoolean handled = new AtomicBoolean();

	DefaultPulledJob(PulledExecution execution, T payload, WorkerRuntime runtime, PullerServices services) {
		this.execution = execution;
		this.payload = payload;
		this.runtime = runtime;
		this.services = services;
	}

	@Override
	public T payload() {
		return this.payload;
	}

	@Override
	public JobContext context() {
		return this.execution;
	}

	@Override
	public void end(JobResult result) {
		Objects.requireNonNull(result, "'result' must not be null");
		end(() -> this.runtime.outcomes().of(this.execution, result), null);
	}

	@Override
	public void fail(Throwable cause) {
		Objects.requireNonNull(cause, "'cause' must not be null");
		end(() -> failed(cause), cause);
	}

	private Outcome failed(Throwable cause) {
		return this.runtime.outcomes().failed(this.execution, cause, null, AttemptOptions.NONE);
	}

	private void end(Supplier<Outcome> outcome, @Nullable Throwable cause) {
		refuseWithinTransaction();
		this.runtime.mdc().within(this.execution.job(), () -> this.execution.end(outcome, cause));
	}

	/**
	 * The outcome is written on another connection. The transaction of the caller may
	 * hold the last connection of the pool, and the write would wait for it.
	 */
	private void refuseWithinTransaction() {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			throw new JobQueueException(
					"%s cannot be ended within a transaction: its end would not be part of it. End it after the commit"
						.formatted(this.execution.job()));
		}
	}

	@Override
	public void run(Handler<? super T> handler) {
		Objects.requireNonNull(handler, "'handler' must not be null");
		refuseWithinTransaction();
		if (this.execution.isOver() || !this.handled.compareAndSet(false, true)) {
			throw this.execution.lost();
		}
		this.runtime.mdc()
			.within(this.execution.job(), () -> this.services.worker().context().within(this.execution.job(), () -> {
				JobRunner.Result result = handle(handler);
				this.execution.end(result.outcome(), result.thrown());
			}));
	}

	private JobRunner.Result handle(Handler<? super T> handler) {
		try {
			JobResult result = this.services.interceptors()
				.aroundRun(this.execution, this.execution::correlate, () -> result(handler));
			return JobRunner.Result.returned(() -> this.runtime.outcomes().of(this.execution, result));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return JobRunner.Result.returned(() -> OutcomePolicy.released(this.execution.job()));
		}
		catch (Throwable ex) {
			return new JobRunner.Result(ex, () -> failed(ex));
		}
	}

	/**
	 * A result of {@code null} is a success, as for handler methods.
	 */
	private JobResult result(Handler<? super T> handler) throws Exception {
		return Objects.requireNonNullElseGet(handler.handle(this.payload, this.execution), JobResult::success);
	}

	@Override
	public void close() {
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			this.runtime.mdc().within(this.execution.job(), this.execution::release);
		}
		else if (!this.execution.isOver()) {
			release();
		}
	}

	/**
	 * A lost claim is ignored, as there is nothing to release.
	 */
	private void release() {
		try {
			end(() -> OutcomePolicy.released(this.execution.job()), null);
		}
		catch (ClaimLostException ex) {
			// the outcome that was decided first is logged
		}
	}

	@Override
	public String toString() {
		return this.execution.job().toString();
	}

}
