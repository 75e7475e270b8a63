package io.jobqueue.internal.worker.execution;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.JobFailure;
import io.jobqueue.JobResult;
import io.jobqueue.RetryPolicy;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.ExpectedFailures;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.FailureText;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Cancelled;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;
import io.jobqueue.internal.store.StepResult;
import io.jobqueue.internal.store.StorableDuration;

/**
 * Decides the outcomes of jobs according to the settings of their queues.
 */
public final class OutcomePolicy {

	private static final Logger logger = LoggerFactory.getLogger(OutcomePolicy.class);

	private static final Duration POSTPONED_FOR = Duration.ofSeconds(5);

	private final Function<String, QueueSettings> settings;

	private final StepResults results;

	/**
	 * Create an outcome policy.
	 * @param settings the settings of each queue
	 * @param results encodes the results of steps
	 */
	public OutcomePolicy(Function<String, QueueSettings> settings, StepResults results) {
		this.settings = settings;
		this.results = results;
	}

	/**
	 * Return the outcome of a job that is released; the attempt is not counted.
	 * @param job the job
	 * @return the outcome
	 */
	public static Released released(ClaimedJob job) {
		return new Released(job.id(), job.claim());
	}

	/**
	 * Return the outcome of a job that a stop releases after its handler has begun; the
	 * attempt is not counted, but the release is.
	 * @param job the job
	 * @return the outcome
	 */
	public static Released interrupted(ClaimedJob job) {
		return new Released(job.id(), job.claim(), true);
	}

	/**
	 * Return the outcome of a job whose cancellation was requested and which has not
	 * succeeded.
	 * @param cause the exception, {@code null} if there was none
	 */
	static Cancelled cancelled(ClaimedJob job, @Nullable Throwable cause) {
		return new Cancelled(job.id(), job.claim(), (cause != null) ? ErrorText.of(cause) : null);
	}

	Completed completed(ClaimedJob job, JobResult.Success result) {
		Duration window = result.window();
		return Completed
			.of(job, this.settings.apply(job.queue()).keepSucceeded(),
					(window != null) ? StorableDuration.shortened(window) : null)
			.with((result.value() instanceof StepResult encoded) ? encoded : null);
	}

	/**
	 * Return the result of a handler as it is stored.
	 * @throws RuntimeException if it cannot be stored
	 */
	JobResult storable(ClaimedJob job, JobResult result) {
		return this.results.encode(job, result);
	}

	/**
	 * Return the outcome of a job whose handler returned a result.
	 * @param execution the attempt
	 * @param result the result
	 * @return the outcome
	 */
	public Outcome of(JobExecution execution, JobResult result) {
		boolean cancelled = execution.cancelRequested() && !(result instanceof JobResult.Success);
		return cancelled ? cancelled(execution.job(), null) : of(execution.job(), result);
	}

	private Outcome of(ClaimedJob job, JobResult result) {
		if (result instanceof JobResult.RetryIn retry) {
			return again(job, retry);
		}
		if (result instanceof JobResult.Snooze snooze) {
			return job.atMostOnce() ? dead(job, "The handler requested another run of a job that runs at most once")
					: new Snoozed(job.id(), job.claim(), StorableDuration.shortened(snooze.delay()));
		}
		return (result instanceof JobResult.Fail fail) ? dead(job, ErrorText.storable(fail.reason()))
				: completed(job, (JobResult.Success) result);
	}

	private Outcome again(ClaimedJob job, JobResult.RetryIn retry) {
		if (job.isLastAttempt()) {
			return dead(job, "The handler requested another attempt, but none is left");
		}
		return new RetryLater(job.id(), job.claim(), StorableDuration.shortened(retry.delay()),
				"The handler requested another attempt", false);
	}

	/**
	 * Return the outcome of a job whose handler did not end when it was interrupted for a
	 * stop, unless that {@linkplain #countsRelease counts}.
	 */
	Outcome abandoned(ClaimedJob job) {
		return job.atMostOnce() ? dead(job, "The worker stopped before the handler ended") : interrupted(job);
	}

	/**
	 * Return whether the release of a job counts as a failed attempt if its handler did
	 * not end when it was interrupted for a stop.
	 */
	boolean countsRelease(ClaimedJob job) {
		int counted = this.settings.apply(job.queue()).countedReleases();
		return !job.atMostOnce() && counted > 0 && job.releases() + 1 >= counted;
	}

	/**
	 * Return the outcome of a job that could not begin. It runs again after 5 seconds,
	 * and the attempt is not counted.
	 * @param job the job
	 * @param cause the exception
	 * @return the outcome
	 */
	public Outcome postponed(ClaimedJob job, Exception cause) {
		logger.warn("{} could not start; next attempt in {}, and this one is not counted: {}", job,
				DurationText.of(POSTPONED_FOR), FailureText.of(cause));
		logger.debug("{} could not start", job, cause);
		return new Snoozed(job.id(), job.claim(), POSTPONED_FOR);
	}

	/**
	 * Return the outcome of a job that waits as long as after a failed attempt, without
	 * counting this one; 5 seconds if it would not be retried.
	 * @param failed the outcome of the failed attempt
	 */
	Outcome postponed(ClaimedJob job, Outcome failed) {
		if (failed instanceof Cancelled) {
			return failed;
		}
		return new Snoozed(job.id(), job.claim(), (failed instanceof RetryLater retry) ? retry.delay() : POSTPONED_FOR);
	}

	/**
	 * Return the outcome of a failed job that is not retried.
	 */
	Outcome failedFinally(ClaimedJob job, Throwable thrown) {
		return dead(job, ErrorText.of(thrown)).with(ErrorFingerprint.of(thrown));
	}

	/**
	 * Return the outcome of a failed attempt. A retry policy that throws is replaced by
	 * that of the settings.
	 * @param execution the attempt
	 * @param thrown the exception
	 * @param handlerPolicy the retry policy of the handler, {@code null} if it has none
	 * @param declared the options of the handler
	 * @return the outcome
	 */
	public Outcome failed(JobExecution execution, Throwable thrown, @Nullable RetryPolicy handlerPolicy,
			AttemptOptions declared) {
		if (execution.cancelRequested()) {
			return cancelled(execution.job(), thrown);
		}
		QueueSettings queue = this.settings.apply(execution.job().queue());
		ExpectedFailures expected = queue.expecting(thrown, execution.job());
		return (expected != null) ? failedAsExpected(execution, thrown, handlerPolicy, expected)
				: failedOtherwise(execution, thrown, handlerPolicy, queue, declared);
	}

	private Outcome failedAsExpected(JobExecution execution, Throwable thrown, @Nullable RetryPolicy handlerPolicy,
			ExpectedFailures expected) {
		ClaimedJob job = execution.job();
		JobFailure failure = new JobFailure(execution, thrown, job.expectedFailures() + 1);
		return retryOrDead(job, failure, decide(failure, handlerPolicy, expected.retryPolicy()), true);
	}

	/**
	 * The settings of the type take precedence over the handler, so that operators can
	 * override it.
	 */
	private Outcome failedOtherwise(JobExecution execution, Throwable thrown, @Nullable RetryPolicy handlerPolicy,
			QueueSettings queue, AttemptOptions declared) {
		ClaimedJob job = execution.job();
		JobFailure failure = new JobFailure(execution, thrown, job.countedAttempt());
		AttemptOptions configured = queue.ofType(job.type());
		RetryPolicy policy = (configured.retryPolicy() != null) ? configured.retryPolicy() : handlerPolicy;
		RetryPolicy common = Objects.requireNonNullElse(configured.or(declared).retryPolicy(), queue.retryPolicy());
		return retryOrDead(job, failure, job.isLastAttempt() ? null : decide(failure, policy, common), false);
	}

	private Outcome retryOrDead(ClaimedJob job, JobFailure failure, @Nullable Duration delay, boolean expected) {
		Throwable thrown = failure.exception();
		return (delay != null) ? new RetryLater(job.id(), job.claim(), delay, ErrorText.of(thrown), expected)
			.with(ErrorFingerprint.of(thrown)) : failedFinally(job, thrown);
	}

	private Dead dead(ClaimedJob job, String error) {
		return new Dead(job.id(), job.claim(), error, this.settings.apply(job.queue()).keepDead());
	}

	private static @Nullable Duration decide(JobFailure failure, @Nullable RetryPolicy handlerPolicy,
			RetryPolicy fallback) {
		RetryPolicy policy = (handlerPolicy != null) ? handlerPolicy : fallback;
		Duration delay;
		try {
			delay = policy.decide(failure).delay();
		}
		catch (Throwable ex) {
			logger.error("Retry policy {} failed for {}; the settings of the queue apply", policy, failure.job(), ex);
			delay = fallback.decide(failure).delay();
		}
		return (delay != null) ? StorableDuration.shortened(delay) : null;
	}

}
