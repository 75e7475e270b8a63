package io.jobqueue.internal.boot.settings;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.Priority;
import io.jobqueue.internal.boot.properties.BackoffProperties;
import io.jobqueue.internal.boot.properties.QueueProperties;
import io.jobqueue.internal.boot.properties.QueueProperties.DeadHead;
import io.jobqueue.internal.boot.properties.QueueProperties.Rate;
import io.jobqueue.internal.boot.properties.QueueProperties.TypeOptions;
import io.jobqueue.internal.policy.AttemptOptions;
import io.jobqueue.internal.policy.ExpectedFailures;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.policy.TransactionLimits;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

/**
 * How a queue is served: its own settings, completed by those of every queue, checked.
 *
 * @param settings what its worker needs
 * @param priority the priority of jobs that name none
 * @param codec the name of the bean that writes and reads its payloads, if any is given
 * @param keepCancelled how long the archive keeps cancelled jobs, {@code null} for ever,
 * zero for not at all
 * @param relay where its jobs go, {@code null} if they go to handlers
 */
record ConfiguredQueue(QueueSettings settings, Priority priority, @Nullable String codec,
		@Nullable Duration keepCancelled, @Nullable Relay relay) {

	static final String DEFAULTS = "jobqueue.defaults";

	static ConfiguredQueue ofDefaults(QueueProperties defaults) {
		refuseTypes(defaults);
		refuseRelay(defaults);
		return new Merger(DEFAULTS, List.of(defaults, QueueProperties.DEFAULT)).queue(Map.of(), null);
	}

	private static void refuseRelay(QueueProperties defaults) {
		if (defaults.relay() != null) {
			throw new InvalidConfigurationException(
					"The setting '%s.relay' has no effect: a relay belongs to one queue.".formatted(DEFAULTS),
					"Set 'jobqueue.queues.<queue>.relay' for each relayed queue instead.");
		}
	}

	private static void refuseTypes(QueueProperties defaults) {
		if (!defaults.types().isEmpty()) {
			String type = new TreeSet<>(defaults.types().keySet()).first();
			throw new InvalidConfigurationException(
					"The setting '%s.types.%s' has no effect: a type has options in a queue only.".formatted(DEFAULTS,
							type),
					"Set 'jobqueue.queues.<queue>.types.%s' for each queue of the type instead.".formatted(type));
		}
	}

	static ConfiguredQueue of(String prefix, QueueProperties own, QueueProperties defaults) {
		return new Merger(prefix, List.of(own, defaults, QueueProperties.DEFAULT)).queue(own.types(),
				relay(prefix, own.relay()));
	}

	private static @Nullable Relay relay(String prefix, QueueProperties.@Nullable Relay relay) {
		return (relay != null) ? new Relay(text(prefix + ".relay.to", relay.to(), "kafka"),
				text(prefix + ".relay.topic", relay.topic(), "the name of the topic")) : null;
	}

	private static String text(String key, @Nullable String value, String remedy) {
		if (!StringUtils.hasText(value)) {
			throw new InvalidConfigurationException(
					"The setting '%s' is missing: a relay needs the kind of its broker and a topic.".formatted(key),
					"Set it to %s.".formatted(remedy));
		}
		return value;
	}

	/**
	 * Where the jobs of a queue go.
	 *
	 * @param to the kind of the broker
	 * @param topic the name of the topic
	 */
	record Relay(String to, String topic) {

	}

	/**
	 * Takes each setting from the first of several that have it.
	 *
	 * @param prefix the prefix of the queue's own keys
	 * @param byPrecedence the settings, those with the highest precedence first; the last
	 * ones have a value for each setting that requires one
	 */
	private record Merger(String prefix, List<QueueProperties> byPrecedence) {

		ConfiguredQueue queue(Map<String, TypeOptions> types, @Nullable Relay relay) {
			return new ConfiguredQueue(settings(types(types)),
					Priorities.parse(key("priority"), required(QueueProperties::priority)),
					optional((queue) -> StringUtils.hasText(queue.codec()) ? queue.codec() : null),
					retention("cancelled", (queue) -> queue.retention().cancelled()), relay);
		}

		private QueueSettings settings(Map<String, AttemptOptions> types) {
			return new QueueSettings(Setting.notNegative(key("concurrency"), required(QueueProperties::concurrency)),
					Setting.notNegative(key("max-attempts"), required(QueueProperties::maxAttempts)),
					Setting.positive(key("max-run-time"), required(QueueProperties::maxRunTime)), keyOfMaxRunTime(),
					warnAfter(), Backoffs.of(key("backoff"), required(QueueProperties::backoff)), expected(),
					required(QueueProperties::probeRetries),
					retention("succeeded", (queue) -> queue.retention().succeeded()), keepDead(), limits(), keys(),
					types, Setting.notNegative(key("counted-releases"), required(QueueProperties::countedReleases)),
					transactions());
		}

		private TransactionLimits transactions() {
			int size = required(QueueProperties::transactionSize);
			Setting.check(size >= 1 && size <= TransactionLimits.MAX_SIZE, key("transaction-size"), size,
					"Set a number from 1, for a transaction of its own for each job, to %s."
						.formatted(TransactionLimits.MAX_SIZE));
			return new TransactionLimits(size,
					Setting.positive(key("transaction-time"), required(QueueProperties::transactionTime)));
		}

		private String keyOfMaxRunTime() {
			boolean own = this.byPrecedence.get(0).maxRunTime() != null;
			return (own ? this.prefix : DEFAULTS) + ".max-run-time";
		}

		private @Nullable Duration warnAfter() {
			Duration warnAfter = Setting.notNegative(key("warn-after"), required(QueueProperties::warnAfter));
			return warnAfter.isZero() ? null : warnAfter;
		}

		private @Nullable ExpectedFailures expected() {
			return ExpectedExceptions.of(key("expected"), required((queue) -> queue.expected().exceptions()),
					required((queue) -> queue.expected().maxAttempts()),
					required((queue) -> queue.expected().backoff()));
		}

		private ClusterLimits limits() {
			return new ClusterLimits(positive("cluster-concurrency", optional(QueueProperties::clusterConcurrency)),
					rate(key("rate"), optional(QueueProperties::rate)));
		}

		private AdmissionRules keys() {
			boolean holds = required(QueueProperties::deadHead) == DeadHead.HOLD;
			if (holds && Duration.ZERO.equals(keepDead())) {
				throw new InvalidConfigurationException(
						"The setting '%s.dead-head' is hold, but dead jobs are not kept: '%1$s.retention.dead' is 0, and a deleted job cannot hold its key."
							.formatted(this.prefix),
						"Keep dead jobs, or set dead-head to continue.");
			}
			return new AdmissionRules(positive("concurrency-per-key", optional(QueueProperties::concurrencyPerKey)),
					holds);
		}

		private @Nullable Duration keepDead() {
			return retention("dead", (queue) -> queue.retention().dead());
		}

		private @Nullable Duration retention(String key, Function<QueueProperties, @Nullable Duration> setting) {
			Duration retention = optional(setting);
			return (retention != null) ? Setting.notNegative(key("retention." + key), retention) : null;
		}

		private @Nullable Integer positive(String key, @Nullable Integer value) {
			return (value != null) ? Setting.positive(key(key), value) : null;
		}

		private String key(String name) {
			return this.prefix + "." + name;
		}

		private <T> T required(Function<QueueProperties, @Nullable T> setting) {
			return Objects.requireNonNull(optional(setting));
		}

		private <T> @Nullable T optional(Function<QueueProperties, @Nullable T> setting) {
			for (QueueProperties queue : this.byPrecedence) {
				T value = setting.apply(queue);
				if (value != null) {
					return value;
				}
			}
			return null;
		}

		private Map<String, AttemptOptions> types(Map<String, TypeOptions> types) {
			Map<String, AttemptOptions> options = new TreeMap<>();
			types.forEach((name, type) -> options.put(name, options(key("types." + name), type)));
			return options;
		}

		private static AttemptOptions options(String prefix, TypeOptions type) {
			Integer maxAttempts = type.maxAttempts();
			Duration maxRunTime = type.maxRunTime();
			BackoffProperties backoff = type.backoff();
			return new AttemptOptions(
					(maxAttempts != null) ? Setting.notNegative(prefix + ".max-attempts", maxAttempts) : null,
					(maxRunTime != null) ? Setting.positive(prefix + ".max-run-time", maxRunTime) : null,
					(backoff != null) ? Backoffs.of(prefix + ".backoff", backoff) : null);
		}

		private static ClusterLimits.@Nullable Rate rate(String prefix, @Nullable Rate rate) {
			if (rate == null || (rate.limit() == null && rate.period() == null)) {
				return null;
			}
			int jobs = Setting.required(prefix + ".limit", rate.limit(), "'" + prefix + ".period' requires it");
			Duration period = Setting.required(prefix + ".period", rate.period(), "'" + prefix + ".limit' requires it");
			return new ClusterLimits.Rate(Setting.positive(prefix + ".limit", jobs),
					Setting.positive(prefix + ".period", period));
		}

	}

}
