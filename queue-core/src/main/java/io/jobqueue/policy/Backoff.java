package io.jobqueue.policy;

import java.time.Duration;
import java.util.List;

/**
 * Computes the delay between a failed attempt and the next one.
 */
@FunctionalInterface
public interface Backoff {

	/**
	 * Return the delay before the next attempt.
	 * @param attempt the number of the failed attempt, from 1; expected failures and
	 * others are counted separately
	 * @return the delay
	 */
	Duration delayAfter(int attempt);

	/**
	 * Return a backoff of attempt<sup>4</sup> + 5 seconds, the formula of delayed_job: 6
	 * seconds after the first failure, about 5 minutes after the fourth, about 4 days
	 * after the 24th.
	 * @return the backoff
	 */
	static Backoff polynomial() {
		return (attempt) -> Duration.ofSeconds((long) Math.min(Math.pow(attempt, 4) + 5, Integer.MAX_VALUE));
	}

	/**
	 * Return a backoff of min · factor<sup>attempt − 1</sup>, at most max.
	 * @param min the delay after the first failure
	 * @param max the longest delay
	 * @param factor the factor between two successive delays
	 * @return the backoff
	 */
	static Backoff exponential(Duration min, Duration max, double factor) {
		return (attempt) -> {
			double millis = min.toMillis() * Math.pow(factor, attempt - 1);
			return (millis < max.toMillis()) ? Duration.ofMillis((long) millis) : max;
		};
	}

	/**
	 * Return a backoff with the same delay after each failure.
	 * @param delay the delay
	 * @return the backoff
	 */
	static Backoff fixed(Duration delay) {
		return (attempt) -> delay;
	}

	/**
	 * Return a backoff that uses each delay in turn, and the last one from then on.
	 * @param delays the delays, at least one
	 * @return the backoff
	 */
	static Backoff list(List<Duration> delays) {
		return (attempt) -> delays.get(Math.min(attempt, delays.size()) - 1);
	}

	/**
	 * Return a backoff that varies the delays at random, so that jobs that fail at the
	 * same time are not retried at the same time.
	 * @param jitter the largest part of a delay that is added or subtracted, from 0 to 1
	 * @return the backoff
	 */
	default Backoff withJitter(double jitter) {
		return (jitter > 0) ? new JitteredBackoff(this, jitter) : this;
	}

}
