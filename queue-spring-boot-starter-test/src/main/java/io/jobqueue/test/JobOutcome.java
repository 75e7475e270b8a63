package io.jobqueue.test;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.worker.completion.Completion;

/**
 * The outcome of one run of a job.
 *
 * @param id the id of the job
 * @param queue its queue
 * @param type the name of its type
 * @param attempt the number of the attempt, from 1
 * @param state the state of the job after the run: {@code SUCCEEDED}, {@code RETRYING},
 * {@code SCHEDULED} (snoozed), {@code READY} (its run ended in a crash), {@code DEAD} or
 * {@code CANCELLED}
 * @param error the recorded reason of a failed attempt, {@code null} if there is none
 */
public record JobOutcome(UUID id, String queue, String type, int attempt, JobState state, @Nullable String error) {

	static JobOutcome of(Completion completion, boolean cancelled) {
		ClaimedJob job = completion.job();
		JobState state = cancelled ? JobState.CANCELLED : state(completion.outcome());
		return new JobOutcome(job.id(), job.queue(), job.type(), job.attempt(), state, error(completion.outcome()));
	}

	private static JobState state(Outcome outcome) {
		if (outcome instanceof Outcome.RetryLater) {
			return JobState.RETRYING;
		}
		if (outcome instanceof Outcome.Snoozed) {
			return JobState.SCHEDULED;
		}
		if (outcome instanceof Outcome.Released) {
			return JobState.READY;
		}
		if (outcome instanceof Outcome.Cancelled) {
			return JobState.CANCELLED;
		}
		return (outcome instanceof Outcome.Dead) ? JobState.DEAD : JobState.SUCCEEDED;
	}

	private static @Nullable String error(Outcome outcome) {
		if (outcome instanceof Outcome.RetryLater retry) {
			return retry.error();
		}
		return (outcome instanceof Outcome.Dead dead) ? dead.error() : null;
	}

	/**
	 * Return whether the job has succeeded.
	 * @return {@code true} if its state is {@link JobState#SUCCEEDED}
	 */
	public boolean succeeded() {
		return this.state == JobState.SUCCEEDED;
	}

}
