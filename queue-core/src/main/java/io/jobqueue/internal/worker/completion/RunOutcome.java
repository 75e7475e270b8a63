package io.jobqueue.internal.worker.completion;

import java.util.Locale;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.CompletedInTransaction;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;

/**
 * The outcome of a run, as meters classify it.
 */
public enum RunOutcome {

	/**
	 * The job succeeded.
	 */
	SUCCEEDED,

	/**
	 * The attempt failed, and the job runs again.
	 */
	RETRIED,

	/**
	 * The attempt failed with an expected exception, and the job runs again.
	 */
	EXPECTED,

	/**
	 * The attempt failed, and the job is dead.
	 */
	DEAD,

	/**
	 * The attempt is not counted, and the job runs later.
	 */
	SNOOZED,

	/**
	 * The job was cancelled.
	 */
	CANCELLED,

	/**
	 * The outcome was not written: the claim was lost, the database rejected the outcome,
	 * or the worker stopped.
	 */
	LOST;

	/**
	 * Return the value for an outcome that was to be written, {@code null} for a job that
	 * was released.
	 */
	static @Nullable RunOutcome of(Completion completion, CompletionResult written) {
		UUID job = completion.job().id();
		if (!written.jobs().contains(job)) {
			return LOST;
		}
		return written.cancelled().contains(job) ? CANCELLED : of(completion.outcome());
	}

	private static @Nullable RunOutcome of(Outcome outcome) {
		if (outcome instanceof Completed || outcome instanceof CompletedInTransaction) {
			return SUCCEEDED;
		}
		if (outcome instanceof RetryLater retry) {
			return retry.expected() ? EXPECTED : RETRIED;
		}
		if (outcome instanceof Dead) {
			return DEAD;
		}
		if (outcome instanceof Snoozed) {
			return SNOOZED;
		}
		return (outcome instanceof Released) ? null : CANCELLED;
	}

	/**
	 * Return the value of the meter tag, which does not distinguish expected failures
	 * from others.
	 * @return the name in lower case, {@code retried} for either kind of retry
	 */
	public String tagValue() {
		return ((this == EXPECTED) ? RETRIED : this).name().toLowerCase(Locale.ROOT);
	}

}
