package io.jobqueue.internal.boot.properties;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the job queue. The description of each component is that of its setting.
 *
 * @param enabled Whether to enable the job queue. If false, it has no beans: inject an
 * ObjectProvider of them, or define your own.
 * @param jdbc Settings of the tables.
 * @param producer Settings of enqueueing.
 * @param payload Settings of payloads.
 * @param worker Settings of the worker of this node.
 * @param reaper Settings of the reaper and the purge.
 * @param metrics Settings of meters.
 * @param health Health of this node.
 * @param warnings Warnings in the log.
 * @param alerts Alert thresholds.
 * @param defaults Settings of every queue.
 * @param queues Settings of single queues, by name: the same keys as under
 * jobqueue.defaults, which fill in what is missing.
 * @param topics Settings of topics.
 * @param workflows Settings of workflows.
 * @param recurring Schedules of recurring jobs, by name.
 * @param recurringZone Time zone of cron expressions that name none.
 */
@ConfigurationProperties("jobqueue")
public record JobQueueProperties(@DefaultValue("true") boolean enabled, @DefaultValue Jdbc jdbc,
		@DefaultValue Producer producer, @DefaultValue Payload payload,
		@DefaultValue @NestedConfigurationProperty WorkerProperties worker, @DefaultValue Reaper reaper,
		@DefaultValue Metrics metrics, @DefaultValue Health health, @DefaultValue Warnings warnings,
		@DefaultValue @NestedConfigurationProperty AlertProperties alerts,
		@DefaultValue @NestedConfigurationProperty QueueProperties defaults,
		@DefaultValue Map<String, QueueProperties> queues, @DefaultValue Topics topics,
		@DefaultValue Workflows workflows, @DefaultValue Map<String, RecurringProperties> recurring,
		@DefaultValue("UTC") ZoneId recurringZone) {

	/**
	 * Settings of the tables.
	 *
	 * @param schema Schema of the tables. Default: the connection's own.
	 * @param migrate Whether to create and migrate the tables at start. If not, the
	 * application only checks that they are up to date.
	 */
	public record Jdbc(@Nullable String schema, @DefaultValue("true") boolean migrate) {

	}

	/**
	 * Settings of enqueueing.
	 *
	 * @param requireTransaction Whether to refuse to enqueue outside a transaction.
	 * @param maxPayloadSize Maximum size of a job: its encoded payload and headers
	 * together.
	 * @param staleAfter Time after which a past run-at is refused instead of treated as
	 * now, by the application's clock. Default: none is refused.
	 * @param mdcKeys Comma-separated list of MDC entries that are carried from the
	 * enqueuing thread to the handler. Default: none.
	 * @param contextKeys Comma-separated list of thread-local accessors (of Micrometer's
	 * context-propagation library) whose values, if they are text, are carried from the
	 * enqueuing thread to the handler. Default: none.
	 */
	public record Producer(@DefaultValue("false") boolean requireTransaction,
			@DefaultValue("1MB") DataSize maxPayloadSize, @Nullable Duration staleAfter,
			@DefaultValue Set<String> mdcKeys, @DefaultValue Set<String> contextKeys) {

	}

	/**
	 * Settings of payloads.
	 *
	 * @param json Mapper of payloads: one of their own, to which the settings under
	 * spring.jackson do not apply, or a copy of the application's.
	 */
	public record Payload(@DefaultValue("own") Json json) {

		/**
		 * Which mapper writes and reads payloads.
		 */
		public enum Json {

			/**
			 * One that only payloads use.
			 */
			OWN,

			/**
			 * A copy of the application's.
			 */
			APPLICATION

		}

	}

	/**
	 * Settings of the reaper and the purge.
	 *
	 * @param interval Interval at which the reaper ends the claims of workers without
	 * heartbeats and of handlers that exceeded the maximum run time, and cancels jobs
	 * that have expired.
	 * @param purgeInterval Interval at which jobs whose retention has expired are removed
	 * from the archive.
	 */
	public record Reaper(@DefaultValue("10s") Duration interval, @DefaultValue("1m") Duration purgeInterval) {

	}

	/**
	 * Settings of meters.
	 *
	 * @param refreshInterval Minimum interval between two reads of the gauges from the
	 * database.
	 */
	public record Metrics(@DefaultValue("10s") Duration refreshInterval) {

	}

	/**
	 * Settings of the health of this node.
	 *
	 * @param startGrace Time after the start during which health is never DOWN.
	 * @param toleratedOutage Time for which the database may fail to answer the worker
	 * before health is DOWN.
	 * @param refreshInterval Minimum interval between two reads of the details from the
	 * database.
	 * @param alerts Whether a crossed alert threshold makes health DOWN.
	 */
	public record Health(@DefaultValue("30s") Duration startGrace, @DefaultValue("30s") Duration toleratedOutage,
			@DefaultValue("10s") Duration refreshInterval, @DefaultValue("false") boolean alerts) {

	}

	/**
	 * Settings of topics.
	 *
	 * @param subscriptionRetention Time after which a subscription ends that no worker
	 * has declared, at least 1 day; 0 for never.
	 */
	public record Topics(@DefaultValue("7d") Duration subscriptionRetention) {

	}

	/**
	 * Settings of workflows.
	 *
	 * @param retention Time for which finished instances are kept, with the results of
	 * their steps.
	 */
	public record Workflows(@DefaultValue("30d") Duration retention) {

	}

	/**
	 * Settings of warnings in the log, which appear at most once per hour.
	 *
	 * @param jobs Number of unfinished jobs that a queue may hold without a warning; 0
	 * for any number.
	 * @param snapshotAge Time for which the oldest snapshot of the database may be held
	 * without a warning; 0 for any time.
	 */
	public record Warnings(@DefaultValue("1000000") int jobs, @DefaultValue("5m") Duration snapshotAge) {

	}

}
