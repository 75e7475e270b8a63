package io.jobqueue;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * What a {@link JobHandler} may return to say what is to become of its job. A handler
 * that returns nothing, or anything else, says that it succeeded.
 */
@CheckReturnValue
public sealed interface JobResult {

	/**
	 * Complete the job.
	 * @return the result
	 */
	static Success success() {
		return Success.INSTANCE;
	}

	/**
	 * Count the attempt as failed and run the job again, whatever its retry policy says.
	 * On its last attempt, or if it is delivered at most once, the job is dead.
	 * @param delay how long to wait, from the database's now; zero or more
	 * @return the result
	 * @throws IllegalArgumentException if the delay is negative
	 */
	static JobResult retryIn(Duration delay) {
		return new RetryIn(delay);
	}

	/**
	 * Give the job up: it is dead.
	 * @param reason why, for people; kept as the job's last error
	 * @return the result
	 */
	static JobResult fail(String reason) {
		return new Fail(reason);
	}

	/**
	 * Run the job later, as if this attempt had not been. A job that is delivered at most
	 * once is dead instead.
	 * @param delay how long to wait, from the database's now; zero or more
	 * @return the result
	 * @throws IllegalArgumentException if the delay is negative
	 */
	static JobResult snooze(Duration delay) {
		return new Snooze(delay);
	}

	private static void check(Duration delay) {
		Objects.requireNonNull(delay, "'delay' must not be null");
		Assert.isTrue(!delay.isNegative(), "'delay' must not be negative");
	}

	/**
	 * Complete the job.
	 *
	 * @param window how long the job's unique key stays taken, {@code null} for what was
	 * asked for when it was enqueued
	 */
	@CheckReturnValue
	record Success(@Nullable Duration window) implements JobResult {

		private static final Success INSTANCE = new Success(null);

		/**
		 * Create a result.
		 * @param window how long the key stays taken, not negative, or {@code null}
		 */
		public Success {
			Assert.isTrue(window == null || !window.isNegative(), "'window' must not be negative");
		}

		/**
		 * Let the job's unique key stay taken for the given time, whatever was asked for
		 * when it was enqueued. A job without a key is not affected.
		 * @param window the time, from the success by the database's clock; zero for none
		 * @return the result
		 * @throws IllegalArgumentException if the time is negative
		 */
		public Success dedupeFor(Duration window) {
			return new Success(Objects.requireNonNull(window, "'window' must not be null"));
		}

	}

	/**
	 * Run the job again.
	 *
	 * @param delay how long to wait
	 */
	record RetryIn(Duration delay) implements JobResult {

		/**
		 * Create a result.
		 * @param delay how long to wait, not negative
		 */
		public RetryIn {
			check(delay);
		}

	}

	/**
	 * Give the job up.
	 *
	 * @param reason why
	 */
	record Fail(String reason) implements JobResult {

		/**
		 * Create a result.
		 * @param reason why
		 */
		public Fail {
			Objects.requireNonNull(reason, "'reason' must not be null");
		}

	}

	/**
	 * Run the job later, uncounted.
	 *
	 * @param delay how long to wait
	 */
	record Snooze(Duration delay) implements JobResult {

		/**
		 * Create a result.
		 * @param delay how long to wait, not negative
		 */
		public Snooze {
			check(delay);
		}

	}

}
