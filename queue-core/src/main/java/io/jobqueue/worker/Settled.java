package io.jobqueue.worker;

import java.time.Duration;
import java.util.Optional;

import io.jobqueue.signal.JobSignal;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.Outcome;
import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Outcome.RetryLater;

/**
 * A job and what became of it.
 */
record Settled(ClaimedJob job, Outcome outcome) {

	/**
	 * Return what idle workers need to hear, if the job is to run again.
	 */
	Optional<JobSignal> signal() {
		if (this.outcome instanceof RetryLater retry) {
			return Optional.of(new JobSignal(this.job.queue(), retry.delay()));
		}
		if (this.outcome instanceof Released) {
			return Optional.of(new JobSignal(this.job.queue(), Duration.ZERO));
		}
		return Optional.empty();
	}

	@Override
	public String toString() {
		return new Attempt(this.job).toString();
	}

}
