package io.jobqueue.policy;

import java.time.Duration;
import java.util.List;

/**
 * How long to wait after a failed attempt.
 */
@FunctionalInterface
public interface Backoff {

	/**
	 * Return the delay before the next attempt.
	 * @param attempt the number of the attempt that failed, from 1, among those that
	 * failed like that
	 * @return the delay
	 */
	Duration delayAfter(int attempt);

	/**
	 * Wait attempt<sup>4</sup> + 5 seconds, the formula of delayed_job: 6 seconds after
	 * the first failure, about 5 minutes after the fourth, about 4 days after the 24th.
	 * @return the backoff
	 */
	static Backoff polynomial() {
		return (attempt) -> Duration.ofSeconds((long) Math.min(Math.pow(attempt, 4) + 5, Integer.MAX_VALUE));
	}

	/**
	 * Wait min · factor<sup>attempt − 1</sup>, at most max.
	 * @param min the delay after the first failure
	 * @param max the longest delay
	 * @param factor what each delay is multiplied by
	 * @return the backoff
	 */
	static Backoff exponential(Duration min, Duration max, double factor) {
		return (attempt) -> {
			double millis = min.toMillis() * Math.pow(factor, attempt - 1);
			return (millis < max.toMillis()) ? Duration.ofMillis((long) millis) : max;
		};
	}

	/**
	 * Wait equally long each time.
	 * @param delay the delay
	 * @return the backoff
	 */
	static Backoff fixed(Duration delay) {
		return (attempt) -> delay;
	}

	/**
	 * Wait for each delay in turn, and for the last one from then on.
	 * @param delays the delays
	 * @return the backoff
	 */
	static Backoff list(List<Duration> delays) {
		return (attempt) -> delays.get(Math.min(attempt, delays.size()) - 1);
	}

	/**
	 * Spread the delays at random, so that jobs that failed together do not return
	 * together.
	 * @param jitter by which share of itself a delay may become shorter or longer, from 0
	 * to 1
	 * @return the backoff
	 */
	default Backoff withJitter(double jitter) {
		return (jitter > 0) ? new JitteredBackoff(this, jitter) : this;
	}

}
