package io.jobqueue.worker;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;

/**
 * A job and what became of it.
 *
 * @param job the job
 * @param outcome what became of it
 * @param cause what was thrown, {@code null} if nothing was
 */
record Settled(ClaimedJob job, Outcome outcome, @Nullable Throwable cause) {

	static Settled released(ClaimedJob job) {
		return new Settled(job, Outcomes.released(job), null);
	}

	@Override
	public String toString() {
		return this.job.toString();
	}

}
