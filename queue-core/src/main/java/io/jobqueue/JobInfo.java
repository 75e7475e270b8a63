package io.jobqueue;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A job without its payload. Times are by the database's clock.
 *
 * @param id the job's id
 * @param queue the queue
 * @param type the name of the type
 * @param priority the priority
 * @param state the state
 * @param attempt the number of the last attempt that began, 0 if none has
 * @param maxAttempts the maximum number of attempts, 0 for no limit, {@code null} if the
 * settings of the node that claims it apply
 * @param enqueuedAt when the job was enqueued
 * @param runAt when its last attempt was due, or its first one if none has begun
 * @param headers the headers that it was enqueued with, unmodifiable
 * @param details the details for operators, {@code null} in events
 */
public record JobInfo(UUID id, String queue, String type, Priority priority, JobState state, int attempt,
		@Nullable Integer maxAttempts, Instant enqueuedAt, Instant runAt, Map<String, String> headers,
		@Nullable JobDetails details) {

	/**
	 * Create the job of an event.
	 * @param id the job's id
	 * @param queue the queue
	 * @param type the name of the type
	 * @param priority the priority
	 * @param state the state
	 * @param attempt the number of the last attempt that began
	 * @param maxAttempts the maximum number of attempts
	 * @param enqueuedAt when the job was enqueued
	 * @param runAt when its last attempt was due
	 * @param headers the headers that it was enqueued with
	 */
	public JobInfo(UUID id, String queue, String type, Priority priority, JobState state, int attempt,
			@Nullable Integer maxAttempts, Instant enqueuedAt, Instant runAt, Map<String, String> headers) {
		this(id, queue, type, priority, state, attempt, maxAttempts, enqueuedAt, runAt, headers, null);
	}

	/**
	 * Return when the latest attempt of the job began. While it runs, this is the time of
	 * its claim, usually milliseconds before its handler began; afterwards it is the time
	 * when the handler began, or of the claim if the worker was lost. A run that does not
	 * count (snoozed, or released by a stop) leaves no time. {@link JobOperations#retry}
	 * keeps the time.
	 * @return the time, {@code null} if no attempt has begun, and in events
	 */
	public @Nullable Instant startedAt() {
		return (this.details != null) ? this.details.startedAt() : null;
	}

	/**
	 * Return when the job {@linkplain JobRequest#expiresAfter expires} unless a worker
	 * has claimed it. A claimed job no longer expires, but keeps the time until an
	 * attempt ends without success.
	 * @return the time, {@code null} if it never expires, and in events
	 */
	public @Nullable Instant expiresAt() {
		return (this.details != null) ? this.details.expiresAt() : null;
	}

	/**
	 * Return the job whose handler enqueued this one.
	 * @return its id, {@code null} if no handler did, and in events
	 */
	public @Nullable UUID parent() {
		return (this.details != null) ? this.details.parent() : null;
	}

	/**
	 * Return the first job of the family, which has no parent. {@link JobQuery#root}
	 * finds all jobs of the family.
	 * @return its id, {@code null} if this job has no parent, and in events
	 */
	public @Nullable UUID root() {
		return (this.details != null) ? this.details.root() : null;
	}

	/**
	 * Return a text for logs, without headers, which may be confidential.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s, attempt=%s]".formatted(this.id, this.queue, this.type, this.attempt);
	}

}
