package io.jobqueue.store.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;
import io.jobqueue.store.Outcome.Buried;
import io.jobqueue.store.Outcome.Cancelled;
import io.jobqueue.store.Outcome.Completed;

/**
 * A job that leaves the table of live jobs.
 */
record Finished(UUID id, long claim, JobState state, @Nullable String error, @Nullable Duration keep,
		@Nullable Duration dedupeFor) {

	static Finished of(Completed outcome) {
		return new Finished(outcome.id(), outcome.claim(), JobState.SUCCEEDED, null, outcome.keep(),
				outcome.dedupeFor());
	}

	static Finished of(Buried outcome) {
		return new Finished(outcome.id(), outcome.claim(), JobState.DEAD, outcome.error(), outcome.keep(), null);
	}

	static Finished of(Cancelled outcome) {
		return new Finished(outcome.id(), outcome.claim(), JobState.CANCELLED, outcome.error(), null, null);
	}

	/**
	 * Set the parameters of the statement that finishes jobs.
	 */
	static void set(Parameters parameters, List<Finished> jobs, UUID worker) throws SQLException {
		parameters.array("uuid", jobs, Finished::id)
			.array("bigint", jobs, Finished::claim)
			.array("text", jobs, (job) -> job.state().name())
			.array("text", jobs, Finished::error)
			.array("bigint", jobs, (job) -> Columns.ofDuration(job.keep()))
			.array("bigint", jobs, (job) -> Columns.ofDuration(job.dedupeFor()))
			.value(worker);
	}

}
