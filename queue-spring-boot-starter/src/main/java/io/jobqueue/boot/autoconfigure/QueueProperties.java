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
 * Settings of the job queue. Each is described at its field.
 */
@ConfigurationProperties("jobqueue")
class QueueProperties {

	/**
	 * Whether to switch the job queue on.
	 */
	private boolean enabled = true;

	private final Jdbc jdbc = new Jdbc();

	private final Producer producer = new Producer();

	/**
	 * How this node works.
	 */
	@NestedConfigurationProperty
	private final WorkerProperties worker = new WorkerProperties();

	private final Reaper reaper = new Reaper();

	private final Metrics metrics = new Metrics();

	/**
	 * When this node counts as well.
	 */
	@NestedConfigurationProperty
	private final HealthProperties health = new HealthProperties();

	/**
	 * What people are warned of in the log.
	 */
	@NestedConfigurationProperty
	private final WarningProperties warnings = new WarningProperties();

	/**
	 * When somebody should look at jobs.
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
	 * Where the tables are.
	 */
	static class Jdbc {

		/**
		 * Schema of the tables. Default: the connection's own.
		 */
		private @Nullable String schema;

		/**
		 * Whether to create and migrate the tables at start. If not, it is only checked
		 * that they are up to date.
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
	 * How jobs are enqueued.
	 */
	static class Producer {

		/**
		 * Whether to refuse to enqueue outside a transaction.
		 */
		private boolean requireTransaction = false;

		/**
		 * Size up to which a job is accepted: its encoded payload and headers together.
		 */
		private DataSize maxPayloadSize = DataSize.ofMegabytes(1);

		/**
		 * Time after which a run-at that has passed is refused instead of becoming now,
		 * by the application's clock. Default: none is refused.
		 */
		private @Nullable Duration staleAfter;

		/**
		 * Comma-separated list of the MDC entries of the enqueuing thread that are in the
		 * MDC while the job runs. Default: none.
		 */
		private @Nullable Set<String> mdcKeys;

		/**
		 * Comma-separated list of the thread-local accessors (of Micrometer's
		 * context-propagation library) whose values on the enqueuing thread, if they are
		 * text, are there while the job runs. Default: none.
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
	 * How the tables are kept in order.
	 */
	static class Reaper {

		/**
		 * Interval in which jobs are taken away from workers that went silent or exceeded
		 * the maximum run time.
		 */
		private Duration interval = Duration.ofSeconds(10);

		/**
		 * Interval in which jobs whose retention is over are removed from the archive.
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
	 * How meters are read.
	 */
	static class Metrics {

		/**
		 * Interval in which the gauges read the database, at most.
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
