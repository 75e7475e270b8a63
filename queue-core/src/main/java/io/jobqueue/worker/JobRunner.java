package io.jobqueue.worker;

import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobFailure;
import io.jobqueue.RetryPolicy;
import io.jobqueue.handler.HandlerInvoker;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Buried;
import io.jobqueue.store.Outcome.Completed;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.RetryLater;

/**
 * Runs one attempt and says what became of it. Nothing that a handler throws gets past
 * it.
 */
final class JobRunner {

	private static final Logger logger = LoggerFactory.getLogger(JobRunner.class);

	private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

	private final JobHandlers handlers;

	private final Function<String, QueueSettings> settings;

	JobRunner(JobHandlers handlers, Function<String, QueueSettings> settings) {
		this.handlers = handlers;
		this.settings = settings;
	}

	Outcome run(ClaimedJob job) {
		HandlerInvoker handler = this.handlers.find(job.queue(), job.type());
		if (handler == null) {
			return new Released(job.id(), job.claim());
		}
		Attempt attempt = new Attempt(job);
		try {
			handler.handle(job.payload(), attempt);
			return new Completed(job.id(), job.claim(), this.settings.apply(job.queue()).keepSucceeded());
		}
		catch (Throwable ex) {
			return failed(job, new JobFailure(attempt, ex), handler.retryPolicy());
		}
	}

	private Outcome failed(ClaimedJob job, JobFailure failure, @Nullable RetryPolicy ownPolicy) {
		QueueSettings queue = this.settings.apply(job.queue());
		Duration delay = job.isLastAttempt() ? null
				: decide(failure, (ownPolicy != null) ? ownPolicy : queue.retryPolicy(), queue.retryPolicy());
		String error = ErrorText.of(failure.exception());
		if (delay == null) {
			log(failure, () -> logger.error("{} failed and is dead", failure.job(), failure.exception()));
			return new Buried(job.id(), job.claim(), error, queue.keepDead());
		}
		log(failure, () -> logger.warn("{} failed and runs again in {}", failure.job(), delay, failure.exception()));
		return new RetryLater(job.id(), job.claim(), delay, error);
	}

	/**
	 * An exception that cannot be printed must not take the outcome along.
	 */
	private static void log(JobFailure failure, Runnable line) {
		try {
			line.run();
		}
		catch (Throwable ex) {
			logger.error("{} failed with a {} that cannot be printed", failure.job(),
					failure.exception().getClass().getName());
		}
	}

	private static @Nullable Duration decide(JobFailure failure, RetryPolicy policy, RetryPolicy fallback) {
		Duration delay;
		try {
			delay = policy.decide(failure).delay();
		}
		catch (Throwable ex) {
			logger.error("The retry policy {} failed on {}; the queue's settings decide", policy, failure.job(), ex);
			delay = fallback.decide(failure).delay();
		}
		return (delay != null && delay.compareTo(LONGEST_DELAY) > 0) ? LONGEST_DELAY : delay;
	}

}
