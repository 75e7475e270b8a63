package io.jobqueue.worker;

import org.jspecify.annotations.Nullable;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.HeldKeys;
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

	/**
	 * Return the keys that the job lets go of. One that was given back keeps them.
	 */
	@Nullable HeldKeys freed() {
		return (this.outcome instanceof Outcome.Released) ? null : this.job.heldKeys();
	}

	@Override
	public String toString() {
		return this.job.toString();
	}

}
