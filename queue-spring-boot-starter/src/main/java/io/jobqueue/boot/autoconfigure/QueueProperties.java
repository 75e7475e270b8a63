package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the job queue. Each field describes its setting.
 */
@ConfigurationProperties("jobqueue")
class QueueProperties {

	/**
	 * Whether to enable the job queue.
	 */
	private boolean enabled = true;

	private final Jdbc jdbc = new Jdbc();

	private final Producer producer = new Producer();

	/**
	 * Settings of the worker of this node.
	 */
	@NestedConfigurationProperty
	private final WorkerProperties worker = new WorkerProperties();

	private final Reaper reaper = new Reaper();

	private final Metrics metrics = new Metrics();

	/**
	 * Health of this node.
	 */
	@NestedConfigurationProperty
	private final HealthProperties health = new HealthProperties();

	/**
	 * Warnings in the log.
	 */
	@NestedConfigurationProperty
	private final WarningProperties warnings = new WarningProperties();

	/**
	 * Alert thresholds.
	 */
	@NestedConfigurationProperty
	private final AlertProperties alerts = new AlertProperties();

	/**
	 * Settings of every queue.
	 */
	@NestedConfigurationProperty
	private final QueueDefaults defaults = new QueueDefaults();

	/**
	 * Settings of single queues, by name: the same keys as under jobqueue.defaults, which
	 * fill in what is missing.
	 */
	private final Map<String, QueueOverrides> queues = new LinkedHashMap<>();

	public boolean isEnabled() {
		return this.enabled;
	}

	public void setEnabled(boolean enabled) {
		this.enabled = enabled;
	}

	public Jdbc getJdbc() {
		return this.jdbc;
	}

	public Producer getProducer() {
		return this.producer;
	}

	public WorkerProperties getWorker() {
		return this.worker;
	}

	public Reaper getReaper() {
		return this.reaper;
	}

	public Metrics getMetrics() {
		return this.metrics;
	}

	public HealthProperties getHealth() {
		return this.health;
	}

	public WarningProperties getWarnings() {
		return this.warnings;
	}

	public AlertProperties getAlerts() {
		return this.alerts;
	}

	public QueueDefaults getDefaults() {
		return this.defaults;
	}

	public Map<String, QueueOverrides> getQueues() {
		return this.queues;
	}

	/**
	 * Settings of the tables.
	 */
	static class Jdbc {

		/**
		 * Schema of the tables. Default: the connection's own.
		 */
		private @Nullable String schema;

		/**
		 * Whether to create and migrate the tables at start. If not, the application only
		 * checks that they are up to date.
		 */
		private boolean migrate = true;

		public @Nullable String getSchema() {
			return this.schema;
		}

		public void setSchema(@Nullable String schema) {
			this.schema = schema;
		}

		public boolean isMigrate() {
			return this.migrate;
		}

		public void setMigrate(boolean migrate) {
			this.migrate = migrate;
		}

	}

	/**
	 * Settings of enqueueing.
	 */
	static class Producer {

		/**
		 * Whether to refuse to enqueue outside a transaction.
		 */
		private boolean requireTransaction = false;

		/**
		 * Maximum size of a job: its encoded payload and headers together.
		 */
		private DataSize maxPayloadSize = DataSize.ofMegabytes(1);

		/**
		 * Time after which a past run-at is refused instead of treated as now, by the
		 * application's clock. Default: none is refused.
		 */
		private @Nullable Duration staleAfter;

		/**
		 * Comma-separated list of MDC entries that are carried from the enqueuing thread
		 * to the handler. Default: none.
		 */
		private @Nullable Set<String> mdcKeys;

		/**
		 * Comma-separated list of thread-local accessors (of Micrometer's
		 * context-propagation library) whose values, if they are text, are carried from
		 * the enqueuing thread to the handler. Default: none.
		 */
		private @Nullable Set<String> contextKeys;

		public boolean isRequireTransaction() {
			return this.requireTransaction;
		}

		public void setRequireTransaction(boolean requireTransaction) {
			this.requireTransaction = requireTransaction;
		}

		public DataSize getMaxPayloadSize() {
			return this.maxPayloadSize;
		}

		public void setMaxPayloadSize(DataSize maxPayloadSize) {
			this.maxPayloadSize = maxPayloadSize;
		}

		public @Nullable Duration getStaleAfter() {
			return this.staleAfter;
		}

		public void setStaleAfter(@Nullable Duration staleAfter) {
			this.staleAfter = staleAfter;
		}

		public @Nullable Set<String> getMdcKeys() {
			return this.mdcKeys;
		}

		public void setMdcKeys(@Nullable Set<String> mdcKeys) {
			this.mdcKeys = mdcKeys;
		}

		public @Nullable Set<String> getContextKeys() {
			return this.contextKeys;
		}

		public void setContextKeys(@Nullable Set<String> contextKeys) {
			this.contextKeys = contextKeys;
		}

	}

	/**
	 * Settings of the reaper and the purge.
	 */
	static class Reaper {

		/**
		 * Interval at which the reaper ends the claims of workers without heartbeats and
		 * of handlers that exceeded the maximum run time.
		 */
		private Duration interval = Duration.ofSeconds(10);

		/**
		 * Interval at which jobs whose retention has expired are removed from the
		 * archive.
		 */
		private Duration purgeInterval = Duration.ofMinutes(1);

		public Duration getInterval() {
			return this.interval;
		}

		public void setInterval(Duration interval) {
			this.interval = interval;
		}

		public Duration getPurgeInterval() {
			return this.purgeInterval;
		}

		public void setPurgeInterval(Duration purgeInterval) {
			this.purgeInterval = purgeInterval;
		}

	}

	/**
	 * Settings of meters.
	 */
	static class Metrics {

		/**
		 * Minimum interval between two reads of the gauges from the database.
		 */
		private Duration refreshInterval = Duration.ofSeconds(10);

		public Duration getRefreshInterval() {
			return this.refreshInterval;
		}

		public void setRefreshInterval(Duration refreshInterval) {
			this.refreshInterval = refreshInterval;
		}

	}

}
