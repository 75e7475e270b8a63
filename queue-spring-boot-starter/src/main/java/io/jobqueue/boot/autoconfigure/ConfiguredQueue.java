package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.jobqueue.Priority;
import io.jobqueue.retry.BackoffRetryPolicy;
import io.jobqueue.worker.QueueSettings;

/**
 * How a queue is served, its own settings filled up with those of every queue.
 *
 * @param settings what its worker needs
 * @param priority the priority of jobs that name none
 * @param keepCancelled how long the archive keeps cancelled jobs, {@code null} for ever,
 * zero for not at all
 */
record ConfiguredQueue(QueueSettings settings, Priority priority, @Nullable Duration keepCancelled) {

	static ConfiguredQueue of(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return new ConfiguredQueue(settings(prefix, own, defaults),
				Priorities.parse(prefix + ".priority", either(own.getPriority(), defaults.getPriority())),
				retention(prefix + ".retention.cancelled", own.getRetention().getCancelled(),
						defaults.getRetention().getCancelled()));
	}

	private static QueueSettings settings(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return new QueueSettings(
				Setting.notNegative(prefix + ".concurrency", either(own.getConcurrency(), defaults.getConcurrency())),
				Setting.notNegative(prefix + ".max-attempts", either(own.getMaxAttempts(), defaults.getMaxAttempts())),
				Setting.positive(prefix + ".max-run-time", either(own.getMaxRunTime(), defaults.getMaxRunTime())),
				warnAfter(prefix + ".warn-after", either(own.getWarnAfter(), defaults.getWarnAfter())),
				new BackoffRetryPolicy(
						Backoffs.of(prefix + ".backoff", either(own.getBackoff(), defaults.getBackoff()))),
				retention(prefix + ".retention.succeeded", own.getRetention().getSucceeded(),
						defaults.getRetention().getSucceeded()),
				retention(prefix + ".retention.dead", own.getRetention().getDead(), defaults.getRetention().getDead()));
	}

	private static @Nullable Duration warnAfter(String property, Duration warnAfter) {
		return Setting.notNegative(property, warnAfter).isZero() ? null : warnAfter;
	}

	private static @Nullable Duration retention(String property, @Nullable Duration own, @Nullable Duration common) {
		Duration retention = (own != null) ? own : common;
		return (retention != null) ? Setting.notNegative(property, retention) : null;
	}

	private static <T> T either(@Nullable T own, T common) {
		return (own != null) ? own : common;
	}

}
