package io.jobqueue.worker;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Whether the database answers a worker that asks for jobs.
 */
final class FetchStatus {

	private @Nullable Long askedAt;

	private @Nullable Instant lastPoll;

	/**
	 * Note that something is asked, unless an earlier question is still open.
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
	 * Return how long an answer has been waited for, however often it was asked for.
	 */
	synchronized Duration silence() {
		return (this.askedAt != null) ? Duration.ofNanos(System.nanoTime() - this.askedAt) : Duration.ZERO;
	}

	synchronized @Nullable Instant lastPoll() {
		return this.lastPoll;
	}

}
