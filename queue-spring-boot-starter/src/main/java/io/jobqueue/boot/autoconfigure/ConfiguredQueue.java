package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.Priority;
import io.jobqueue.boot.autoconfigure.QueueOverrides.TypeOverrides;
import io.jobqueue.policy.AttemptOptions;
import io.jobqueue.policy.BackoffRetryPolicy;
import io.jobqueue.policy.QueueSettings;
import io.jobqueue.store.ClusterLimits;
import io.jobqueue.store.JobStore.AdmissionRules;

/**
 * How a queue is served, its own settings filled up with those of every queue.
 *
 * @param settings what its worker needs
 * @param priority the priority of jobs that name none
 * @param codec the name of the bean that its payloads are written and read with, if any
 * is given
 * @param keepCancelled how long the archive keeps cancelled jobs, {@code null} for ever,
 * zero for not at all
 */
record ConfiguredQueue(QueueSettings settings, Priority priority, @Nullable String codec,
		@Nullable Duration keepCancelled) {

	static ConfiguredQueue of(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return new ConfiguredQueue(settings(prefix, own, defaults),
				Priorities.parse(prefix + ".priority", either(own.getPriority(), defaults.getPriority())),
				StringUtils.hasText(own.getCodec()) ? own.getCodec() : defaults.getCodec(),
				retention(prefix + ".retention.cancelled", own.getRetention().getCancelled(),
						defaults.getRetention().getCancelled()));
	}

	private static QueueSettings settings(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return new QueueSettings(
				Setting.notNegative(prefix + ".concurrency", either(own.getConcurrency(), defaults.getConcurrency())),
				Setting.notNegative(prefix + ".max-attempts", either(own.getMaxAttempts(), defaults.getMaxAttempts())),
				Setting.positive(prefix + ".max-run-time", either(own.getMaxRunTime(), defaults.getMaxRunTime())),
				((own.getMaxRunTime() != null) ? prefix : ConfiguredQueues.DEFAULTS) + ".max-run-time",
				warnAfter(prefix + ".warn-after", either(own.getWarnAfter(), defaults.getWarnAfter())),
				new BackoffRetryPolicy(
						Backoffs.of(prefix + ".backoff", either(own.getBackoff(), defaults.getBackoff()))),
				ExpectedExceptions.of(prefix + ".expected", own.getExpected(), defaults.getExpected()),
				either(own.getProbeRetries(), defaults.isProbeRetries()),
				retention(prefix + ".retention.succeeded", own.getRetention().getSucceeded(),
						defaults.getRetention().getSucceeded()),
				keepDead(prefix, own, defaults), limits(prefix, own, defaults), keys(prefix, own, defaults))
			.withTypes(types(prefix + ".types.", own.getTypes()));
	}

	private static Map<String, AttemptOptions> types(String prefix, Map<String, TypeOverrides> types) {
		Map<String, AttemptOptions> options = new TreeMap<>();
		types.forEach((name, type) -> options.put(name, options(prefix + name, type)));
		return options;
	}

	private static AttemptOptions options(String prefix, TypeOverrides type) {
		Integer maxAttempts = type.getMaxAttempts();
		Duration maxRunTime = type.getMaxRunTime();
		BackoffProperties backoff = type.getBackoff();
		return new AttemptOptions(
				(maxAttempts != null) ? Setting.notNegative(prefix + ".max-attempts", maxAttempts) : null,
				(maxRunTime != null) ? Setting.positive(prefix + ".max-run-time", maxRunTime) : null,
				(backoff != null) ? new BackoffRetryPolicy(Backoffs.of(prefix + ".backoff", backoff)) : null);
	}

	private static ClusterLimits limits(String prefix, QueueOverrides own, QueueDefaults defaults) {
		Integer concurrency = (own.getClusterConcurrency() != null) ? own.getClusterConcurrency()
				: defaults.getClusterConcurrency();
		RateProperties rate = either(own.getRate(), defaults.getRate());
		return new ClusterLimits(
				(concurrency != null) ? Setting.positive(prefix + ".cluster-concurrency", concurrency) : null,
				rate.toRate(prefix + ".rate"));
	}

	private static @Nullable Duration keepDead(String prefix, QueueOverrides own, QueueDefaults defaults) {
		return retention(prefix + ".retention.dead", own.getRetention().getDead(), defaults.getRetention().getDead());
	}

	private static AdmissionRules keys(String prefix, QueueOverrides own, QueueDefaults defaults) {
		boolean holds = either(own.getDeadHead(), defaults.getDeadHead()) == DeadHead.HOLD;
		if (holds && Duration.ZERO.equals(keepDead(prefix, own, defaults))) {
			throw new InvalidSettingException(
					"The setting '%s.dead-head' is hold, but dead jobs are not kept: '%1$s.retention.dead' is 0, and a deleted job cannot hold its key."
						.formatted(prefix),
					"Keep dead jobs, or set dead-head to continue.");
		}
		return new AdmissionRules(perKey(prefix + ".concurrency-per-key", own, defaults), holds);
	}

	private static @Nullable Integer perKey(String property, QueueOverrides own, QueueDefaults defaults) {
		Integer limit = (own.getConcurrencyPerKey() != null) ? own.getConcurrencyPerKey()
				: defaults.getConcurrencyPerKey();
		return (limit != null) ? Setting.positive(property, limit) : null;
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
