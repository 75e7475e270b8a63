package io.jobqueue.worker;

import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.JobFailure;
import io.jobqueue.JobResult;
import io.jobqueue.handler.HandlerInvoker;
import io.jobqueue.handler.JobHandlers;
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
	 * Run a job.
	 * @return what tells its outcome, which nobody asks for if it is already settled
	 */
	Supplier<Outcome> run(Attempt attempt) {
		ClaimedJob job = attempt.job();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		if (handler == null) {
			return () -> Outcomes.released(job);
		}
		try {
			return run(handler, attempt);
		}
		catch (Throwable ex) {
			return () -> thrown(attempt, ex);
		}
	}

	private Supplier<Outcome> run(HandlerInvoker handler, Attempt attempt) throws Throwable {
		ClaimedJob job = attempt.job();
		if (handler.delivery() != Delivery.TRANSACTIONAL) {
			JobResult result = handler.handle(job.payload(), attempt);
			return () -> this.outcomes.of(job, result);
		}
		JobResult result = this.transactions.run(() -> handler.handle(job.payload(), attempt),
				this.outcomes.completed(job));
		return () -> (result instanceof JobResult.Success) ? new Recorded(job.id(), job.claim())
				: this.outcomes.of(job, result);
	}

	/**
	 * Return what becomes of a job whose handler threw an exception.
	 */
	Outcome thrown(Attempt attempt, Throwable ex) {
		ClaimedJob job = attempt.job();
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		JobFailure failure = new JobFailure(attempt, ex);
		if (handler == null) {
			return this.outcomes.failed(failure, job, null);
		}
		if (handler.succeedsOn(ex)) {
			logger.debug("{} has succeeded, as its handler threw what it succeeds on", job, ex);
			return this.outcomes.completed(job);
		}
		return handler.failsOn(ex) ? this.outcomes.hopeless(failure, job)
				: this.outcomes.failed(failure, job, handler.retryPolicy());
	}

}
