package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.Priority;
import io.jobqueue.retry.BackoffRetryPolicy;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.worker.QueueSettings;

/**
 * How a queue is served, its own settings filled up with those of every queue.
 *
 * @param settings what its worker needs
 * @param priority the priority of jobs that name none
 * @param codec the name of the bean that its payloads are written and read with, if any
 * is given
 */
record ConfiguredQueue(QueueSettings settings, Priority priority, @Nullable String codec) {

	static ConfiguredQueue of(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return new ConfiguredQueue(settings(prefix, own, defaults),
				Priorities.parse(prefix + ".priority", either(own.getPriority(), defaults.getPriority())),
				StringUtils.hasText(own.getCodec()) ? own.getCodec() : defaults.getCodec());
	}

	private static QueueSettings settings(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return new QueueSettings(
				Setting.notNegative(prefix + ".concurrency", either(own.getConcurrency(), defaults.getConcurrency())),
				Setting.notNegative(prefix + ".max-attempts", either(own.getMaxAttempts(), defaults.getMaxAttempts())),
				Setting.positive(prefix + ".max-run-time", either(own.getMaxRunTime(), defaults.getMaxRunTime())),
				warnAfter(prefix + ".warn-after", either(own.getWarnAfter(), defaults.getWarnAfter())),
				new BackoffRetryPolicy(
						Backoffs.of(prefix + ".backoff", either(own.getBackoff(), defaults.getBackoff()))),
				ExpectedExceptions.of(prefix + ".expected", own.getExpected(), defaults.getExpected()),
				either(own.getProbeRetries(), defaults.isProbeRetries()),
				retention(prefix + ".retention.succeeded", own.getRetention().getSucceeded(),
						defaults.getRetention().getSucceeded()),
				retention(prefix + ".retention.dead", own.getRetention().getDead(), defaults.getRetention().getDead()),
				limits(prefix, own, defaults));
	}

	private static ClusterLimits limits(String prefix, QueueOverrides own, QueueDefaults defaults) {
		Integer concurrency = (own.getClusterConcurrency() != null) ? own.getClusterConcurrency()
				: defaults.getClusterConcurrency();
		RateProperties rate = either(own.getRate(), defaults.getRate());
		return new ClusterLimits(
				(concurrency != null) ? Setting.positive(prefix + ".cluster-concurrency", concurrency) : null,
				rate.toRate(prefix + ".rate"));
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
