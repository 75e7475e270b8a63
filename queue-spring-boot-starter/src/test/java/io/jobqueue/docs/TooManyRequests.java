package io.jobqueue.docs;

import java.time.Duration;

/**
 * Thrown with the time to wait before the next request.
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
