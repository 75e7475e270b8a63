package io.jobqueue.internal.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a claimed job. Once its cancellation is requested, every outcome except
 * success cancels it.
 */
public sealed interface Outcome {

	/**
	 * Return the job's id.
	 * @return the id
	 */
	UUID id();

	/**
	 * Return the number of the claim.
	 * @return the number of the claim
	 */
	long claim();

	/**
	 * Return this outcome with the time at which its attempt began. Outcomes without a
	 * counted attempt have no such time.
	 * @param startedAt the time by the database's clock, {@code null} if it is not known
	 * @return the outcome
	 */
	default Outcome withStart(@Nullable Instant startedAt) {
		return this;
	}

	/**
	 * The job succeeded.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param retention how long the archive keeps it, {@code null} for no limit, zero to
	 * delete it
	 * @param dedupeFor how long its unique key stays taken, {@code null} for the time set
	 * on the job
	 * @param plain whether the job is {@link ClaimedJob#isPlain() plain}, which takes a
	 * cheaper statement
	 * @param startedAt when the attempt began, {@code null} if that is not known
	 * @param result the result of a step of a workflow, {@code null} for none
	 */
	record Completed(UUID id, long claim, @Nullable Duration retention, @Nullable Duration dedupeFor, boolean plain,
			@Nullable Instant startedAt, @Nullable StepResult result) implements Outcome {

		/**
		 * Create the outcome of a job without a result.
		 * @param id the job's id
		 * @param claim the number of the claim
		 * @param retention how long the archive keeps it
		 * @param dedupeFor how long its unique key stays taken
		 * @param plain whether the job is plain
		 * @param startedAt when the attempt began
		 */
		public Completed(UUID id, long claim, @Nullable Duration retention, @Nullable Duration dedupeFor, boolean plain,
				@Nullable Instant startedAt) {
			this(id, claim, retention, dedupeFor, plain, startedAt, null);
		}

		/**
		 * Return the outcome of a claimed job that succeeded.
		 * @param job the job
		 * @param retention how long the archive keeps it, {@code null} for no limit, zero
		 * to delete it
		 * @param dedupeFor how long its unique key stays taken, {@code null} for the time
		 * set on the job
		 * @return the outcome
		 */
		public static Completed of(ClaimedJob job, @Nullable Duration retention, @Nullable Duration dedupeFor) {
			return new Completed(job.id(), job.claim(), retention, dedupeFor, job.isPlain(), null);
		}

		@Override
		public Completed withStart(@Nullable Instant startedAt) {
			return new Completed(this.id, this.claim, this.retention, this.dedupeFor, this.plain, startedAt,
					this.result);
		}

		/**
		 * Return this outcome with the result of a step.
		 * @param result the result, {@code null} for none
		 * @return the outcome
		 */
		public Completed with(@Nullable StepResult result) {
			return (result != null) ? new Completed(this.id, this.claim, this.retention, this.dedupeFor, this.plain,
					this.startedAt, result) : this;
		}

	}

	/**
	 * The attempt failed, and the job is retried.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param delay the time until the job is due
	 * @param error the text to store as the last error
	 * @param expected whether the exception was an expected one, which does not count
	 * towards the maximum number of attempts
	 * @param startedAt when the attempt began, {@code null} if that is not known
	 * @param stopped whether it is the release of a stop that counts as failed
	 * @param fingerprint what failures like this one have in common, {@code null} without
	 * an exception
	 */
	record RetryLater(UUID id, long claim, Duration delay, String error, boolean expected, @Nullable Instant startedAt,
			boolean stopped, @Nullable String fingerprint) implements Outcome {

		/**
		 * Create the outcome of an attempt whose begin is not known and that no stop has
		 * released.
		 * @param id the job's id
		 * @param claim the number of the claim
		 * @param delay the time until the job is due
		 * @param error the text to store as the last error
		 * @param expected whether the exception was an expected one
		 */
		public RetryLater(UUID id, long claim, Duration delay, String error, boolean expected) {
			this(id, claim, delay, error, expected, null, false, null);
		}

		@Override
		public RetryLater withStart(@Nullable Instant startedAt) {
			return new RetryLater(this.id, this.claim, this.delay, this.error, this.expected, startedAt, this.stopped,
					this.fingerprint);
		}

		/**
		 * Return this outcome for an attempt that a stop has released.
		 * @return a copy
		 */
		public RetryLater byStop() {
			return new RetryLater(this.id, this.claim, this.delay, this.error, this.expected, this.startedAt, true,
					this.fingerprint);
		}

		/**
		 * Return this outcome for an attempt that an exception has ended.
		 * @param fingerprint what failures like this one have in common
		 * @return a copy
		 */
		public RetryLater with(String fingerprint) {
			return new RetryLater(this.id, this.claim, this.delay, this.error, this.expected, this.startedAt,
					this.stopped, fingerprint);
		}

	}

	/**
	 * The attempt failed, and the job is dead.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param error the text to store as the last error
	 * @param retention how long the archive keeps it, {@code null} for no limit, zero to
	 * delete it
	 * @param startedAt when the attempt began, {@code null} if that is not known
	 * @param fingerprint what failures like this one have in common, {@code null} without
	 * an exception
	 */
	record Dead(UUID id, long claim, String error, @Nullable Duration retention, @Nullable Instant startedAt,
			@Nullable String fingerprint) implements Outcome {

		/**
		 * Create the outcome of an attempt whose begin is not known.
		 * @param id the job's id
		 * @param claim the number of the claim
		 * @param error the text to store as the last error
		 * @param retention how long the archive keeps it, {@code null} for no limit, zero
		 * to delete it
		 */
		public Dead(UUID id, long claim, String error, @Nullable Duration retention) {
			this(id, claim, error, retention, null, null);
		}

		@Override
		public Dead withStart(@Nullable Instant startedAt) {
			return new Dead(this.id, this.claim, this.error, this.retention, startedAt, this.fingerprint);
		}

		/**
		 * Return this outcome for an attempt that an exception has ended.
		 * @param fingerprint what failures like this one have in common
		 * @return a copy
		 */
		public Dead with(String fingerprint) {
			return new Dead(this.id, this.claim, this.error, this.retention, this.startedAt, fingerprint);
		}

	}

	/**
	 * The attempt did not succeed, and the job's cancellation was requested.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param error the text to store as the last error, {@code null} if there is none
	 * @param startedAt when the attempt began, {@code null} if that is not known
	 */
	record Cancelled(UUID id, long claim, @Nullable String error, @Nullable Instant startedAt) implements Outcome {

		/**
		 * Create the outcome of an attempt whose begin is not known.
		 * @param id the job's id
		 * @param claim the number of the claim
		 * @param error the text to store as the last error, {@code null} if there is none
		 */
		public Cancelled(UUID id, long claim, @Nullable String error) {
			this(id, claim, error, null);
		}

		@Override
		public Cancelled withStart(@Nullable Instant startedAt) {
			return new Cancelled(this.id, this.claim, this.error, startedAt);
		}

	}

	/**
	 * The attempt is not counted, and the job is ready again.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param begun whether a stop has released it after its handler had begun, which the
	 * job counts
	 */
	record Released(UUID id, long claim, boolean begun) implements Outcome {

		/**
		 * Create the outcome of a job whose handler has not begun.
		 * @param id the job's id
		 * @param claim the number of the claim
		 */
		public Released(UUID id, long claim) {
			this(id, claim, false);
		}

	}

	/**
	 * The attempt is not counted, and the job runs later.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 * @param delay the time until the job is due
	 */
	record Snoozed(UUID id, long claim, Duration delay) implements Outcome {
	}

	/**
	 * The outcome was committed in the transaction of the handler. Only the claim remains
	 * to be ended.
	 *
	 * @param id the job's id
	 * @param claim the number of the claim
	 */
	record CompletedInTransaction(UUID id, long claim) implements Outcome {
	}

}
