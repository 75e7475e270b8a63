package io.jobqueue.model;

import java.time.Duration;
import java.util.Locale;

import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.Outcome.Snoozed;

/**
 * How an attempt ends.
 */
enum Result {

	COMPLETES, COMPLETES_WITHOUT_TRACE, FAILS, FAILS_AS_EXPECTED, DIES, RELEASES, SNOOZES;

	private static final Duration KEEP = Duration.ofHours(1);

	/**
	 * A worker does not retry after the last attempt.
	 */
	Outcome outcome(ClaimedJob job, Duration delay) {
		return switch (this) {
			case COMPLETES -> Completed.of(job, KEEP, null);
			case COMPLETES_WITHOUT_TRACE -> Completed.of(job, Duration.ZERO, null);
			case FAILS -> job.isLastAttempt() ? DIES.outcome(job, delay)
					: new RetryLater(job.id(), job.claim(), delay, "failed", false);
			case FAILS_AS_EXPECTED -> new RetryLater(job.id(), job.claim(), delay, "not yet", true);
			case DIES -> new Dead(job.id(), job.claim(), "refused", null);
			case RELEASES -> new Released(job.id(), job.claim());
			case SNOOZES -> new Snoozed(job.id(), job.claim(), delay);
		};
	}

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
