package io.jobqueue.worker;

import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;

/**
 * A job and what became of it.
 */
record Settled(ClaimedJob job, Outcome outcome) {

	@Override
	public String toString() {
		return this.job.toString();
	}

}
