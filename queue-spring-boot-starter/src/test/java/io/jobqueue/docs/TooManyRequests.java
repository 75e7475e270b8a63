package io.jobqueue.docs;

import java.time.Duration;

/**
 * Says how long to leave somebody alone.
 */
@SuppressWarnings("serial")
class TooManyRequests extends RuntimeException {

	private final Duration retryAfter;

	TooManyRequests(Duration retryAfter) {
		this.retryAfter = retryAfter;
	}

	Duration retryAfter() {
		return this.retryAfter;
	}

}
