package io.jobqueue;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.lang.CheckReturnValue;
import org.springframework.util.Assert;

/**
 * The result of a handler. Any other return value, or none, means success.
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
	 * Complete the job with a value. A handler that returns the value itself does the
	 * same; this also allows {@link Success#branch}.
	 * @param value the result of a step of a workflow, which later steps read with
	 * {@link JobContext#result}; ignored for other jobs. Encoded, it must be no larger
	 * than {@code jobqueue.producer.max-payload-size}
	 * @return the result
	 */
	static Success success(Object value) {
		return new Success(null, Objects.requireNonNull(value, "'value' must not be null"), null);
	}

	/**
	 * Fail the attempt and run the job again after a delay, regardless of its retry
	 * policy. After its last attempt, or if it is delivered at most once, the job is
	 * dead.
	 * @param delay the time to wait, from now by the database's clock; zero or more
	 * @return the result
	 * @throws IllegalArgumentException if the delay is negative
	 */
	static JobResult retryIn(Duration delay) {
		return new RetryIn(delay);
	}

	/**
	 * Give up the job: it is dead.
	 * @param reason why, for people; kept as the job's last error
	 * @return the result
	 */
	static JobResult fail(String reason) {
		return new Fail(reason);
	}

	/**
	 * Run the job again after a delay, without counting this attempt. A job that is
	 * delivered at most once is dead instead.
	 * @param delay the time to wait, from now by the database's clock; zero or more
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
	 * @param window how long the job's unique key stays taken, {@code null} for the
	 * window of its request
	 * @param value the result of a step of a workflow, {@code null} for none
	 * @param branch the branch that a step of a workflow has chosen, {@code null} for
	 * none
	 */
	@CheckReturnValue
	record Success(@Nullable Duration window, @Nullable Object value, @Nullable String branch) implements JobResult {

		private static final Success INSTANCE = new Success(null, null, null);

		/**
		 * Create a result.
		 * @param window how long the key stays taken, not negative, or {@code null}
		 * @param value the result of a step, or {@code null}
		 * @param branch the name of the branch, or {@code null}
		 */
		public Success {
			Assert.isTrue(window == null || !window.isNegative(), "'window' must not be negative");
			if (branch != null) {
				StepCondition.checkName("The name of a branch", branch);
			}
		}

		/**
		 * Keep the job's unique key taken for the given time, instead of the window of
		 * its request. Has no effect on a job without a key.
		 * @param window the time, from the success by the database's clock; zero for none
		 * @return the result
		 * @throws IllegalArgumentException if the time is negative
		 */
		public Success dedupeFor(Duration window) {
			return new Success(Objects.requireNonNull(window, "'window' must not be null"), this.value, this.branch);
		}

		/**
		 * Choose a branch of the workflow: steps follow that have the condition
		 * {@link StepCondition#on} with this name, or without a branch; those of other
		 * branches are skipped. Has no effect on a job that is no step.
		 * @param branch the name of the branch: up to 100 letters, digits, '-' and '_'
		 * @return the result
		 * @throws IllegalArgumentException if the name is invalid
		 */
		public Success branch(String branch) {
			return new Success(this.window, this.value, Objects.requireNonNull(branch, "'branch' must not be null"));
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
	 * Give up the job.
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
	 * Run the job again, without counting the attempt.
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
