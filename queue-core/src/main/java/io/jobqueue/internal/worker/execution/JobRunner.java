package io.jobqueue.internal.worker.execution;

import java.lang.reflect.InvocationTargetException;
import java.util.UUID;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.CannotCreateTransactionException;

import io.jobqueue.Delivery;
import io.jobqueue.JobQueueException;
import io.jobqueue.JobResult;
import io.jobqueue.internal.context.CurrentJob;
import io.jobqueue.internal.handler.HandlerInvoker;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.store.Outcome.RetryLater;

/**
 * Runs the handler of a job, and has the policy decide the outcome.
 */
public final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private final JobHandlers handlers;

	private final HandlerTransactions transactions;

	private final OutcomePolicy outcomes;

	private final BatchRunner batches;

	/**
	 * Create a job runner.
	 * @param handlers the handlers
	 * @param transactions runs transactional handlers
	 * @param outcomes decides outcomes
	 */
	public JobRunner(JobHandlers handlers, HandlerTransactions transactions, OutcomePolicy outcomes) {
		this.handlers = handlers;
		this.transactions = transactions;
		this.outcomes = outcomes;
		this.batches = new BatchRunner(this, handlers, transactions, outcomes);
	}

	/**
	 * Return the runner of calls that take several jobs.
	 * @return the runner
	 */
	public BatchRunner batches() {
		return this.batches;
	}

	/**
	 * Run a job. {@code succeedOn} and {@code failOn} apply only to exceptions of the
	 * handler and its interceptors. A job without a handler on this node is released.
	 * @param execution the attempt
	 * @return the result of the run
	 */
	public Result run(JobExecution execution) {
		return run(execution, this.transactions);
	}

	/**
	 * Run a job.
	 * @param transaction runs the handler if it is transactional
	 */
	Result run(JobExecution execution, JobTransaction transaction) {
		ClaimedJob job = execution.job();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		if (handler == null) {
			return Result.returned(() -> OutcomePolicy.released(job));
		}
		UUID outer = CurrentJob.enter(job.id());
		try {
			return run(handler, execution, transaction);
		}
		catch (InvocationTargetException ex) {
			Throwable thrown = ex.getTargetException();
			return new Result(thrown, () -> thrown(handler, execution, thrown));
		}
		catch (CannotCreateTransactionException ex) {
			return Result.returned(() -> this.outcomes.postponed(job, ex));
		}
		catch (Throwable ex) {
			return new Result(ex, () -> failed(execution, ex));
		}
		finally {
			CurrentJob.restore(outer);
		}
	}

	private Result run(HandlerInvoker handler, JobExecution execution, JobTransaction transaction) throws Throwable {
		ClaimedJob job = execution.job();
		if (handler.delivery() != Delivery.TRANSACTIONAL) {
			JobResult result = handle(handler, execution);
			return Result.returned(() -> this.outcomes.of(execution, result));
		}
		JobResult result = transaction.run(() -> handle(handler, execution),
				(success) -> this.outcomes.completed(job, success).withStart(execution.startedAt()), execution);
		return Result.returned(() -> (result instanceof JobResult.Success)
				? new CompletedInTransaction(job.id(), job.claim()) : this.outcomes.of(execution, result));
	}

	private JobResult handle(HandlerInvoker handler, JobExecution execution) throws InvocationTargetException {
		ClaimedJob job = execution.job();
		return this.outcomes.storable(job, handler.handle(job.payload(), execution, execution::correlate));
	}

	/**
	 * Return whether the handler of a job is transactional.
	 */
	boolean isTransactional(ClaimedJob job) {
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		return handler != null && handler.delivery() == Delivery.TRANSACTIONAL;
	}

	/**
	 * Begin a transaction for several jobs.
	 * @param scope calls callbacks after its end in the context of their job
	 */
	SharedTransaction share(SharedTransaction.Scope scope) {
		return this.transactions.share((execution, code) -> {
			UUID outer = CurrentJob.enter(execution.id());
			try {
				scope.run(execution, code);
			}
			finally {
				CurrentJob.restore(outer);
			}
		});
	}

	private Outcome thrown(HandlerInvoker handler, JobExecution execution, Throwable ex) {
		ClaimedJob job = execution.job();
		if (handler.succeedsOn(ex)) {
			logger.debug("{} succeeded: its handler threw an exception that succeedOn names", job, ex);
			return this.outcomes.completed(job, JobResult.success());
		}
		if (execution.cancelRequested()) {
			return OutcomePolicy.cancelled(job, ex);
		}
		return handler.failsOn(ex) ? this.outcomes.failedFinally(job, ex) : failed(execution, ex);
	}

	/**
	 * Return the result of a run whose handler ends the JVM or its application: the
	 * attempt has failed.
	 */
	Result exited(HandlerExecution execution) {
		return stopped(execution,
				"The handler ended the JVM or its application context; the worker was stopped by that");
	}

	/**
	 * Return the result of a run whose handler did not end when it was interrupted for a
	 * stop.
	 */
	Result abandoned(HandlerExecution execution) {
		ClaimedJob job = execution.job();
		return this.outcomes.countsRelease(job) ? stopped(execution,
				"The handler did not end when it was interrupted for a stop, and stops have released the job %s times in a row"
					.formatted(job.releases() + 1))
				: Result.returned(() -> this.outcomes.abandoned(job));
	}

	private Result stopped(HandlerExecution execution, String reason) {
		JobQueueException ex = new JobQueueException(reason);
		ex.setStackTrace(execution.stackTrace().getStackTrace());
		return new Result(ex, () -> {
			Outcome outcome = failed(execution, ex);
			return (outcome instanceof RetryLater retry) ? retry.byStop() : outcome;
		});
	}

	/**
	 * Return the outcome of a failed attempt.
	 */
	Outcome failed(JobExecution execution, Throwable ex) {
		ClaimedJob job = execution.job();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		return (handler != null) ? this.outcomes.failed(execution, ex, handler.retryPolicy(), handler.options())
				: this.outcomes.failed(execution, ex, null, AttemptOptions.NONE);
	}

	/**
	 * Return what has failed an attempt.
	 * @return the exception, {@code null} if there was none or the job has succeeded with
	 * it
	 */
	@Nullable Throwable failure(ClaimedJob job, Result result) {
		Throwable thrown = result.thrown();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		return (thrown != null && handler != null && handler.succeedsOn(thrown)) ? null : thrown;
	}

	/**
	 * Return the outcome of a job that does not run now, because others fail: it runs
	 * again after the delay of a failed attempt, and this one is not counted.
	 */
	Outcome postponed(JobExecution execution, Throwable ex) {
		return this.outcomes.postponed(execution.job(), failed(execution, ex));
	}

	/**
	 * The result of a run.
	 *
	 * @param thrown the exception, {@code null} if there was none
	 * @param outcome supplies the outcome of the job; not called if that is already
	 * decided
	 */
	public record Result(@Nullable Throwable thrown, Supplier<Outcome> outcome) {

		/**
		 * Return the result of a run without an exception.
		 * @param outcome supplies the outcome
		 * @return the result
		 */
		public static Result returned(Supplier<Outcome> outcome) {
			return new Result(null, outcome);
		}

	}

}
