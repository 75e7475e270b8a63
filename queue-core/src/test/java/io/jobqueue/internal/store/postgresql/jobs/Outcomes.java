package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;

import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;

/**
 * What may become of a claimed job.
 */
public final class Outcomes {

	private Outcomes() {
	}

	public static Completed completed(ClaimedJob job) {
		return Completed.of(job, Duration.ofDays(1), null);
	}

	public static RetryLater retried(ClaimedJob job, Duration delay) {
		return new RetryLater(job.id(), job.claim(), delay, "refused", false);
	}

	public static RetryLater failedAsExpected(ClaimedJob job, Duration delay) {
		return new RetryLater(job.id(), job.claim(), delay, "not yet", true);
	}

	public static Dead dead(ClaimedJob job) {
		return new Dead(job.id(), job.claim(), "refused", null);
	}

	public static Released released(ClaimedJob job) {
		return new Released(job.id(), job.claim());
	}

	public static List<Outcome> each(ClaimedJob job) {
		return List.of(completed(job), retried(job, Duration.ZERO), dead(job), released(job));
	}

}
