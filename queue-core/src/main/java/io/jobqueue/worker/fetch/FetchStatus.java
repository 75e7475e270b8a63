package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Whether the database answers a worker's claims and polls, and when the last poll was.
 */
public final class FetchStatus {

	private @Nullable Long askedAt;

	private @Nullable Instant lastPoll;

	/**
	 * Note that a step begins, unless an earlier one has not been answered yet.
	 */
	synchronized void ask() {
		if (this.askedAt == null) {
			this.askedAt = System.nanoTime();
		}
	}

	synchronized void answered() {
		this.askedAt = null;
	}

	synchronized void polled() {
		this.lastPoll = Instant.now();
	}

	/**
	 * Return the time since the first unanswered step began, zero if all are answered.
	 * @return the time
	 */
	public synchronized Duration silence() {
		return (this.askedAt != null) ? Duration.ofNanos(System.nanoTime() - this.askedAt) : Duration.ZERO;
	}

	/**
	 * Return when the last poll ended.
	 * @return the time, {@code null} if there was no poll
	 */
	public synchronized @Nullable Instant lastPoll() {
		return this.lastPoll;
	}

}
