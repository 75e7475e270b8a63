package io.jobqueue.internal.kafka.relay;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.FailureText;

/**
 * Whether the broker takes the records of a relay. It logs the first failure and the
 * recovery.
 */
final class RelayHealth {

	private static final Logger logger = LoggerFactory.getLogger(RelayHealth.class);

	/**
	 * The time without an acknowledgement from which on no further jobs are claimed.
	 */
	private static final Duration SILENCE = Duration.ofSeconds(5);

	/**
	 * The time between a failure and the next try.
	 */
	static final Duration PAUSE = Duration.ofSeconds(1);

	private final String name;

	private final FailureLog failures;

	private final Deadline nextTry = new Deadline();

	private boolean found;

	private @Nullable String failure;

	RelayHealth(String name) {
		this.name = name;
		this.failures = FailureLog.of(logger, name);
	}

	/**
	 * The topic is known, so that sending does not wait for its metadata.
	 */
	synchronized void topicFound() {
		if (!this.found) {
			this.found = true;
			acknowledged();
		}
	}

	/**
	 * No jobs are claimed until the topic is found again.
	 */
	synchronized void topicMissing(Throwable cause) {
		this.found = false;
		failed(cause);
	}

	/**
	 * Note a failure that is not due to a job. After a pause, one job is sent as a probe.
	 */
	synchronized void failed(Throwable cause) {
		this.failure = FailureText.of(cause);
		Duration unused = this.failures.failed(cause);
		this.nextTry.reset(PAUSE);
	}

	synchronized void acknowledged() {
		if (this.failure != null) {
			this.failure = null;
			this.failures.succeeded();
		}
	}

	/**
	 * Return how many jobs can be sent.
	 * @param inFlight the jobs that are being sent
	 */
	synchronized int capacity(InFlight inFlight) {
		if (!this.found || inFlight.silence().compareTo(SILENCE) > 0) {
			return 0;
		}
		if (this.failure == null) {
			return inFlight.room();
		}
		return (inFlight.isEmpty() && this.nextTry.isDue()) ? 1 : 0;
	}

	/**
	 * Return why jobs are not acknowledged, {@code null} if they are.
	 */
	synchronized @Nullable String problem(InFlight inFlight) {
		if (this.failure != null) {
			return "%s fails: %s".formatted(this.name, this.failure);
		}
		Duration silence = inFlight.silence();
		return (silence.compareTo(SILENCE) > 0)
				? "%s has had no acknowledgement for %s s".formatted(this.name, silence.toSeconds()) : null;
	}

}
