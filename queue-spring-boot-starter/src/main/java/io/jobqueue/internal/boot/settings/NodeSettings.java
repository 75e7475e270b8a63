package io.jobqueue.internal.boot.settings;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.properties.JobQueueProperties;
import io.jobqueue.internal.boot.properties.WorkerProperties;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.QueueNames;
import io.jobqueue.internal.policy.WorkerSettings;
import io.jobqueue.internal.relay.Relay;

/**
 * The settings that hold for this node, checked.
 *
 * @param worker how it works
 * @param served the queues that it serves, {@code null} for every queue with a handler
 * @param queues how it serves queues
 */
public record NodeSettings(WorkerSettings worker, @Nullable Set<String> served, ConfiguredQueues queues) {

	private static final String WORKER = "jobqueue.worker.";

	/**
	 * Check the settings of a node.
	 * @param properties what the application sets
	 * @param application the name of the application, {@code null} if it has none
	 * @param virtualThreads whether handlers run on virtual threads
	 * @return the settings
	 * @throws InvalidConfigurationException if a setting cannot work
	 */
	public static NodeSettings of(JobQueueProperties properties, @Nullable String application, boolean virtualThreads) {
		checkOthers(properties);
		WorkerProperties worker = properties.worker();
		return new NodeSettings(worker(worker, application, virtualThreads), served(worker.queues()),
				new ConfiguredQueues(properties.defaults(), properties.queues()));
	}

	/**
	 * Return the relays of the queues that this node serves.
	 * @return the relays
	 */
	public List<Relay> relays() {
		return this.queues.relays()
			.stream()
			.filter((relay) -> (this.served == null || this.served.contains(relay.queue()))
					&& this.queues.settings(relay.queue()).concurrency() > 0)
			.toList();
	}

	/**
	 * Return the queues that settings can be for.
	 * @param handlers the handlers of this node
	 * @return the names of the queues
	 */
	public Set<String> known(JobHandlers handlers) {
		Set<String> known = new TreeSet<>(handlers.queues());
		known.add(QueueNames.DEFAULT);
		this.queues.relays().forEach((relay) -> known.add(relay.queue()));
		if (this.served != null) {
			known.addAll(this.served);
		}
		return known;
	}

	/**
	 * Return the queues that handlers, payloads or settings of this node name.
	 * @param handlers the handlers of this node
	 * @param types the types of payloads that this node knows
	 * @return the names of the queues
	 */
	public Set<String> named(JobHandlers handlers, JobTypes types) {
		Set<String> named = new TreeSet<>(handlers.queues());
		named.addAll(types.queues());
		if (this.served != null) {
			named.addAll(this.served);
		}
		named.addAll(this.queues.names());
		return named;
	}

	private static void checkOthers(JobQueueProperties properties) {
		DataSize maxPayloadSize = properties.producer().maxPayloadSize();
		Setting.check(maxPayloadSize.toBytes() > 0, "jobqueue.producer.max-payload-size", maxPayloadSize,
				"Set a size of at least 1 byte.");
		Duration staleAfter = properties.producer().staleAfter();
		if (staleAfter != null) {
			Setting.positive("jobqueue.producer.stale-after", staleAfter);
		}
		Setting.positive("jobqueue.reaper.interval", properties.reaper().interval());
		Setting.positive("jobqueue.reaper.purge-interval", properties.reaper().purgeInterval());
		Setting.positive("jobqueue.metrics.refresh-interval", properties.metrics().refreshInterval());
		JobQueueProperties.Health health = properties.health();
		Setting.notNegative("jobqueue.health.start-grace", health.startGrace());
		Setting.notNegative("jobqueue.health.tolerated-outage", health.toleratedOutage());
		Setting.positive("jobqueue.health.refresh-interval", health.refreshInterval());
		Setting.notNegative("jobqueue.warnings.snapshot-age", properties.warnings().snapshotAge());
		Setting.notNegative("jobqueue.warnings.jobs", properties.warnings().jobs());
		Setting.positive("jobqueue.workflows.retention", properties.workflows().retention());
		Duration retention = properties.topics().subscriptionRetention();
		Setting.check(retention.isZero() || retention.compareTo(Duration.ofDays(1)) >= 0,
				"jobqueue.topics.subscription-retention", retention,
				"Set at least 1d, so that a warning can precede the end of a subscription, or 0 for no end.");
	}

	private static void checkRunAndExit(WorkerProperties worker) {
		if (worker.runAndExit() && !worker.enabled()) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.worker.run-and-exit' is true, but 'jobqueue.worker.enabled' is false: there is no worker to run jobs.",
					"Set 'jobqueue.worker.enabled' to true, or remove 'jobqueue.worker.run-and-exit'.");
		}
	}

	private static WorkerSettings worker(WorkerProperties worker, @Nullable String application,
			boolean virtualThreads) {
		PriorityRange priorities = PriorityRange.parse(WORKER + "priorities", worker.priorities());
		WorkerSettings settings = new WorkerSettings(name(worker.name()), application, priorities.min(),
				priorities.max(), Setting.positive(WORKER + "poll-interval", worker.pollInterval()),
				Setting.positive(WORKER + "max-poll-interval", worker.maxPollInterval()),
				Setting.positive(WORKER + "heartbeat-interval", worker.heartbeatInterval()),
				Setting.positive(WORKER + "timeout", worker.timeout()),
				Setting.notNegative(WORKER + "shutdown-timeout", worker.shutdownTimeout()),
				Setting.notNegative(WORKER + "cancel-grace", worker.cancelGrace()), worker.releaseOnStop(),
				virtualThreads);
		Setting.atLeast(WORKER + "max-poll-interval", settings.maxPollInterval(), WORKER + "poll-interval",
				settings.pollInterval());
		checkTimeout(settings);
		checkRunAndExit(worker);
		return settings;
	}

	private static void checkTimeout(WorkerSettings settings) {
		if (settings.timeout().compareTo(settings.heartbeatInterval().multipliedBy(3)) < 0) {
			throw new InvalidConfigurationException(
					"The setting 'jobqueue.worker.timeout' is %s, less than three times 'jobqueue.worker.heartbeat-interval', which is %s: a single late heartbeat would remove the worker."
						.formatted(Setting.text(settings.timeout()), Setting.text(settings.heartbeatInterval())),
					"Raise the timeout or lower the heartbeat interval.");
		}
	}

	private static String name(@Nullable String given) {
		return StringUtils.hasText(given) ? given : host() + ":" + ProcessHandle.current().pid();
	}

	private static String host() {
		try {
			return InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "localhost";
		}
	}

	private static @Nullable Set<String> served(@Nullable Set<String> queues) {
		if (queues == null || queues.isEmpty()) {
			return null;
		}
		queues.forEach((queue) -> ConfiguredQueues.checkName(WORKER + "queues", queue));
		return queues;
	}

}
