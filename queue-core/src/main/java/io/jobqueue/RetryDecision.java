package io.jobqueue;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;

/**
 * The decision of a {@link RetryPolicy}.
 */
@CheckReturnValue
public final class RetryDecision {

	private static final RetryDecision GIVE_UP = new RetryDecision(null);

	private final @Nullable Duration delay;

	private RetryDecision(@Nullable Duration delay) {
		this.delay = delay;
	}

	/**
	 * Run the job again after a delay, which begins when the failure is recorded.
	 * @param delay the delay; a negative one counts as none
	 * @return the decision
	 */
	public static RetryDecision retryIn(Duration delay) {
		Objects.requireNonNull(delay, "'delay' must not be null");
		return new RetryDecision(delay.isNegative() ? Duration.ZERO : delay);
	}

	/**
	 * Give up the job: it is dead.
	 * @return the decision
	 */
	public static RetryDecision giveUp() {
		return GIVE_UP;
	}

	/**
	 * Return the delay of the next attempt.
	 * @return the delay, or {@code null} to give up
	 */
	public @Nullable Duration delay() {
		return this.delay;
	}

	@Override
	public String toString() {
		return (this.delay != null) ? "retry in " + this.delay : "give up";
	}

}
