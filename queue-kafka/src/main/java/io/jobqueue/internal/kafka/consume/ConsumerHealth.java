package io.jobqueue.internal.kafka.consume;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.FailureText;

/**
 * Whether a consumer works. It logs the first failure and the recovery.
 */
final class ConsumerHealth {

	/**
	 * The time without a failure, from the next try on, after which a consumer works: its
	 * first polls return nothing, before the brokers refuse what it asks for, and two
	 * nodes may drive each other out of their group.
	 */
	static final Duration TRIAL = Duration.ofSeconds(10);

	private final String name;

	private final FailureLog failures;

	private final Deadline trial = new Deadline();

	private volatile @Nullable String failure;

	ConsumerHealth(Logger logger, String name) {
		this.name = name;
		this.failures = FailureLog.of(logger, name);
	}

	/**
	 * Note a failure.
	 * @return the time until the next try
	 */
	synchronized Duration failed(Throwable cause) {
		this.failure = FailureText.of(cause);
		Duration pause = this.failures.failed(cause);
		this.trial.reset(pause.plus(TRIAL));
		return pause;
	}

	/**
	 * Note a poll that has not failed.
	 */
	synchronized void polled() {
		if (this.trial.isDue()) {
			succeeded();
		}
	}

	void succeeded() {
		if (this.failure != null) {
			this.failure = null;
			this.failures.succeeded();
		}
	}

	/**
	 * Return what fails, {@code null} if nothing does.
	 */
	@Nullable String problem() {
		String current = this.failure;
		return (current != null) ? "%s fails: %s".formatted(this.name, current) : null;
	}

}
