package io.jobqueue.internal.policy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

import io.jobqueue.JobFailure;
import io.jobqueue.RetryDecision;
import io.jobqueue.RetryPolicy;

/**
 * Retries after each failure with a delay that depends on the number of the failed
 * attempt.
 *
 * @param delays returns the delay after a failed attempt
 */
public record Backoff(IntFunction<Duration> delays) implements RetryPolicy {

	/**
	 * Return the delay before the next attempt.
	 * @param attempt the number of the failed attempt, from 1; expected failures and
	 * others are counted separately
	 * @return the delay
	 */
	public Duration delayAfter(int attempt) {
		return this.delays.apply(attempt);
	}

	@Override
	public RetryDecision decide(JobFailure failure) {
		return RetryDecision.retryIn(delayAfter(failure.number()));
	}

	/**
	 * Return a backoff of attempt<sup>4</sup> + 5 seconds, the formula of delayed_job: 6
	 * seconds after the first failure, about 5 minutes after the fourth, about 4 days
	 * after the 24th.
	 * @return the backoff
	 */
	public static Backoff polynomial() {
		return new Backoff(
				(attempt) -> Duration.ofSeconds((long) Math.min(Math.pow(attempt, 4) + 5, Integer.MAX_VALUE)));
	}

	/**
	 * Return a backoff of min · factor<sup>attempt − 1</sup>, at most max.
	 * @param min the delay after the first failure
	 * @param max the longest delay
	 * @param factor the factor between two successive delays
	 * @return the backoff
	 */
	public static Backoff exponential(Duration min, Duration max, double factor) {
		return new Backoff((attempt) -> {
			double millis = min.toMillis() * Math.pow(factor, attempt - 1);
			return (millis < max.toMillis()) ? Duration.ofMillis((long) millis) : max;
		});
	}

	/**
	 * Return a backoff with the same delay after each failure.
	 * @param delay the delay
	 * @return the backoff
	 */
	public static Backoff fixed(Duration delay) {
		return new Backoff((attempt) -> delay);
	}

	/**
	 * Return a backoff that uses each delay in turn, and the last one from then on.
	 * @param delays the delays, at least one
	 * @return the backoff
	 */
	public static Backoff list(List<Duration> delays) {
		return new Backoff((attempt) -> delays.get(Math.min(attempt, delays.size()) - 1));
	}

	/**
	 * Return a backoff that varies the delays at random, so that jobs that fail at the
	 * same time are not retried at the same time.
	 * @param jitter the largest part of a delay that is added or subtracted, from 0 to 1
	 * @return the backoff
	 */
	public Backoff withJitter(double jitter) {
		return (jitter > 0) ? new Backoff((attempt) -> {
			double share = 1 + ThreadLocalRandom.current().nextDouble(-jitter, jitter);
			return Duration.ofMillis((long) (delayAfter(attempt).toMillis() * share));
		}) : this;
	}

}
