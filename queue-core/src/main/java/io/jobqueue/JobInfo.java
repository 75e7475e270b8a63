package io.jobqueue;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The description of a job, without its payload. Times are the database's.
 *
 * @param id the job's id
 * @param queue the queue
 * @param type the name of the type
 * @param priority the priority
 * @param state the state
 * @param attempt the number of the last attempt that began, 0 if none has
 * @param maxAttempts after how many attempts the job is given up, 0 for no limit,
 * {@code null} where the settings of the node that claims it decide
 * @param enqueuedAt when the job was enqueued
 * @param runAt when its last attempt was due, or its first one if none has begun
 * @param headers the headers that it was enqueued with, unmodifiable
 * @param details what operators are shown besides, {@code null} in events
 */
public record JobInfo(UUID id, String queue, String type, Priority priority, JobState state, int attempt,
		@Nullable Integer maxAttempts, Instant enqueuedAt, Instant runAt, Map<String, String> headers,
		@Nullable JobDetails details) {

	/**
	 * Create the information of an event.
	 * @param id the job's id
	 * @param queue the queue
	 * @param type the name of the type
	 * @param priority the priority
	 * @param state the state
	 * @param attempt the number of the last attempt that began
	 * @param maxAttempts after how many attempts the job is given up
	 * @param enqueuedAt when the job was enqueued
	 * @param runAt when its last attempt was due
	 * @param headers the headers that it was enqueued with
	 */
	public JobInfo(UUID id, String queue, String type, Priority priority, JobState state, int attempt,
			@Nullable Integer maxAttempts, Instant enqueuedAt, Instant runAt, Map<String, String> headers) {
		this(id, queue, type, priority, state, attempt, maxAttempts, enqueuedAt, runAt, headers, null);
	}

	/**
	 * Return when the latest attempt of the job began. While it runs, that is when its
	 * worker claimed it, usually milliseconds before its handler began; afterwards, it is
	 * when the handler began, or the claim for an attempt whose worker was lost. A run
	 * that is not counted (snoozed, or released by a stop) leaves no time. It is kept
	 * when an operator retries the job.
	 * @return the time, {@code null} if no attempt has begun, and in events
	 */
	public @Nullable Instant startedAt() {
		return (this.details != null) ? this.details.startedAt() : null;
	}

	/**
	 * Return when the job {@linkplain JobRequest#expiresAfter expires} unless a worker
	 * has claimed it. A job that has been claimed keeps the time until an attempt ends
	 * without success, but does not expire any more.
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
	 * Return what people need to know of the job; its headers may be confidential.
	 */
	@Override
	public String toString() {
		return "Job[%s, queue=%s, type=%s, attempt=%d]".formatted(this.id, this.queue, this.type, this.attempt);
	}

}
