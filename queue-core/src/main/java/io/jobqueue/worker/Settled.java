package io.jobqueue.worker;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.logging.JobMdc;
import io.jobqueue.store.ClaimedJob;
import io.jobqueue.store.ClaimedJob.HeldKeys;
import io.jobqueue.store.Outcome;

/**
 * A job and what became of it.
 *
 * @param job the job without its payload, which nothing needs any more: an outcome may
 * wait long to be written
 * @param outcome what became of it
 * @param cause what was thrown, {@code null} if nothing was
 * @param runTime how long somebody worked on it, {@code null} if nobody did
 * @param correlation the entries of the MDC that tell the trace of the run
 * @param receipt who waits for it to be written, {@code null} if nobody does
 */
record Settled(ClaimedJob job, Outcome outcome, @Nullable Throwable cause, @Nullable Duration runTime,
		Map<String, String> correlation, @Nullable Receipt receipt) {

	Settled {
		job = job.withoutPayload();
	}

	Settled(ClaimedJob job, Outcome outcome, @Nullable Throwable cause, @Nullable Duration runTime) {
		this(job, outcome, cause, runTime, Map.of(), null);
	}

	static Settled released(ClaimedJob job) {
		return new Settled(job, Outcomes.released(job), null, null);
	}

	Settled with(Receipt receipt) {
		return new Settled(this.job, this.outcome, this.cause, this.runTime, this.correlation, receipt);
	}

	Settled with(Map<String, String> correlation) {
		return new Settled(this.job, this.outcome, this.cause, this.runTime, correlation, this.receipt);
	}

	/**
	 * Log lines about the run.
	 */
	void log(JobMdc mdc, Runnable lines) {
		mdc.within(this.job, this.correlation, lines);
	}

	/**
	 * Return the same with less to store: a success without its row in the archive, a
	 * failure without its error.
	 * @return {@code null} if there is no less
	 */
	@Nullable Settled reduced() {
		Outcome reduced = Outcomes.reduced(this.outcome);
		return (reduced != null)
				? new Settled(this.job, reduced, this.cause, this.runTime, this.correlation, this.receipt) : null;
	}

	void answer(Set<UUID> written) {
		if (this.receipt != null) {
			this.receipt.answer(written.contains(this.job.id()));
		}
	}

	void refuse(RuntimeException refusal) {
		if (this.receipt != null) {
			this.receipt.refuse(refusal);
		}
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
