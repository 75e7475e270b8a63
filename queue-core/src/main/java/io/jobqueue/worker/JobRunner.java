package io.jobqueue.worker;

import java.lang.reflect.InvocationTargetException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.CannotCreateTransactionException;

import io.jobqueue.Delivery;
import io.jobqueue.JobResult;
import io.jobqueue.handler.HandlerInvoker;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.retry.AttemptOptions;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Recorded;

/**
 * Runs one job and says what became of it.
 */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private final JobHandlers handlers;

	private final HandlerTransactions transactions;

	private final Outcomes outcomes;

	JobRunner(JobHandlers handlers, HandlerTransactions transactions, Outcomes outcomes) {
		this.handlers = handlers;
		this.transactions = transactions;
		this.outcomes = outcomes;
	}

	/**
	 * Run a job. Only what the handler itself threw, or an interceptor around it, is
	 * compared with what it succeeds and fails on.
	 */
	Ending run(Attempt attempt) {
		ClaimedJob job = attempt.job();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		if (handler == null) {
			return Ending.returned(() -> Outcomes.released(job));
		}
		try {
			return run(handler, attempt);
		}
		catch (InvocationTargetException ex) {
			Throwable thrown = ex.getTargetException();
			return Ending.thrown(thrown, () -> thrown(handler, attempt, thrown));
		}
		catch (CannotCreateTransactionException ex) {
			return Ending.returned(() -> this.outcomes.postponed(job, ex));
		}
		catch (Throwable ex) {
			return Ending.thrown(ex, () -> failed(attempt, ex));
		}
	}

	private Ending run(HandlerInvoker handler, Attempt attempt) throws Throwable {
		ClaimedJob job = attempt.job();
		if (handler.delivery() != Delivery.TRANSACTIONAL) {
			JobResult result = handler.handle(job.payload(), attempt, attempt.lease()::correlate);
			return Ending.returned(() -> this.outcomes.of(attempt, result));
		}
		JobResult result = this.transactions.run(
				() -> handler.handle(job.payload(), attempt, attempt.lease()::correlate),
				(success) -> this.outcomes.completed(job, success), attempt);
		return Ending.returned(() -> (result instanceof JobResult.Success) ? new Recorded(job.id(), job.claim())
				: this.outcomes.of(attempt, result));
	}

	private Outcome thrown(HandlerInvoker handler, Attempt attempt, Throwable ex) {
		ClaimedJob job = attempt.job();
		if (handler.succeedsOn(ex)) {
			logger.debug("{} has succeeded, as its handler threw what it succeeds on", job, ex);
			return this.outcomes.completed(job);
		}
		if (attempt.cancelRequested()) {
			return Outcomes.cancelled(job, ex);
		}
		return handler.failsOn(ex) ? this.outcomes.hopeless(job, ex) : failed(attempt, ex);
	}

	/**
	 * Return what becomes of a job whose attempt failed.
	 */
	Outcome failed(Attempt attempt, Throwable ex) {
		ClaimedJob job = attempt.job();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		return (handler != null) ? this.outcomes.failed(attempt, ex, handler.retryPolicy(), handler.options())
				: this.outcomes.failed(attempt, ex, null, AttemptOptions.NONE);
	}

}
