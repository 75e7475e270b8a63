package io.jobqueue.internal.event;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobInfo;
import io.jobqueue.JobState;
import io.jobqueue.Priority;

/**
 * Builds the descriptions of jobs that events have: one of type {@code mail} in queue
 * {@code emails}.
 */
final class JobInfoBuilder {

	private final UUID id;

	private final JobState state;

	private Priority priority = Priority.USER_VISIBLE;

	private int attempt;

	private @Nullable Integer maxAttempts;

	private Instant enqueuedAt = Instant.EPOCH;

	private Instant runAt = Instant.EPOCH;

	private Map<String, String> headers = Map.of();

	JobInfoBuilder(UUID id, JobState state) {
		this.id = id;
		this.state = state;
	}

	JobInfoBuilder priority(int priority) {
		this.priority = Priority.of(priority);
		return this;
	}

	JobInfoBuilder attempt(int attempt) {
		this.attempt = attempt;
		return this;
	}

	JobInfoBuilder maxAttempts(int maxAttempts) {
		this.maxAttempts = maxAttempts;
		return this;
	}

	JobInfoBuilder enqueuedAt(Instant enqueuedAt) {
		this.enqueuedAt = enqueuedAt;
		return this;
	}

	JobInfoBuilder runAt(Instant runAt) {
		this.runAt = runAt;
		return this;
	}

	JobInfoBuilder header(String name, String value) {
		this.headers = Map.of(name, value);
		return this;
	}

	JobInfo build() {
		return new JobInfo(this.id, "emails", "mail", this.priority, this.state, this.attempt, this.maxAttempts,
				this.enqueuedAt, this.runAt, this.headers);
	}

}
