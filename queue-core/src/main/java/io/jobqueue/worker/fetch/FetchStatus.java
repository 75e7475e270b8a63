package io.jobqueue.worker.fetch;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The time for which claims and polls of a worker have had no answer, and the time of the
 * last poll. Safe for use by several threads.
 */
public final class FetchStatus {

	private @Nullable Long stepBegan;

	private @Nullable Instant lastPoll;

	/**
	 * Note that a step begins. The time of an earlier step that has not been answered is
	 * kept.
	 */
	synchronized void begin() {
		if (this.stepBegan == null) {
			this.stepBegan = System.nanoTime();
		}
	}

	synchronized void answered() {
		this.stepBegan = null;
	}

	synchronized void polled() {
		this.lastPoll = Instant.now();
	}

	/**
	 * Return the time since the first unanswered step began.
	 * @return the time, zero if all steps are answered
	 */
	public synchronized Duration silence() {
		return (this.stepBegan != null) ? Duration.ofNanos(System.nanoTime() - this.stepBegan) : Duration.ZERO;
	}

	/**
	 * Return when the last poll ended.
	 * @return the time by the clock of this JVM, {@code null} if there was no poll
	 */
	public synchronized @Nullable Instant lastPoll() {
		return this.lastPoll;
	}

}
