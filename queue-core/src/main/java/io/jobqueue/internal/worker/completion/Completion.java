package io.jobqueue.internal.worker.completion;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.logging.JobMdc;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Released;

/**
 * A job and its outcome to record.
 *
 * @param job the job without its payload, which would use memory while the outcome waits
 * to be written
 * @param outcome its outcome
 * @param cause the exception, {@code null} if there was none
 * @param runTime the duration of the run, {@code null} if there was no run
 * @param correlation the entries of the MDC that identify the trace of the run
 * @param recorded completed with whether the outcome was recorded, {@code null} if no
 * thread waits for that
 */
public record Completion(ClaimedJob job, Outcome outcome, @Nullable Throwable cause, @Nullable Duration runTime,
		Map<String, String> correlation, @Nullable CompletableFuture<Boolean> recorded) {

	/**
	 * Create a completion.
	 * @param job the job
	 * @param outcome its outcome
	 * @param cause the exception, {@code null} if there was none
	 * @param runTime the duration of the run, {@code null} if there was no run
	 * @param correlation the entries of the MDC that identify the trace of the run
	 * @param recorded completed with whether the outcome was recorded, {@code null} if no
	 * thread waits for that
	 */
	public Completion {
		job = job.withoutPayload();
	}

	/**
	 * Create a completion that no thread waits for.
	 * @param job the job
	 * @param outcome its outcome
	 * @param cause the exception, {@code null} if there was none
	 * @param runTime the duration of the run, {@code null} if there was no run
	 */
	public Completion(ClaimedJob job, Outcome outcome, @Nullable Throwable cause, @Nullable Duration runTime) {
		this(job, outcome, cause, runTime, Map.of(), null);
	}

	/**
	 * Return a copy that a thread waits for.
	 * @param recorded completed with whether the outcome was recorded
	 * @return the copy
	 */
	public Completion with(CompletableFuture<Boolean> recorded) {
		return new Completion(this.job, this.outcome, this.cause, this.runTime, this.correlation, recorded);
	}

	/**
	 * Log lines about the run.
	 */
	void log(JobMdc mdc, Runnable lines) {
		mdc.within(this.job, this.correlation, lines);
	}

	void answer(Set<UUID> written) {
		if (this.recorded != null) {
			this.recorded.complete(written.contains(this.job.id()));
		}
	}

	void refuse(RuntimeException refusal) {
		if (this.recorded != null) {
			this.recorded.completeExceptionally(refusal);
		}
	}

	/**
	 * Return the keys that the completion releases, {@code null} if there are none. A job
	 * that is released keeps its keys.
	 */
	@Nullable HeldKeys freed() {
		return (this.outcome instanceof Released) ? null : this.job.heldKeys();
	}

	@Override
	public String toString() {
		return this.job.toString();
	}

}
