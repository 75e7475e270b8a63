package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Settings of alerts: {@code jobqueue.alerts}.
 */
class AlertProperties {

	/**
	 * Interval at which each node measures whether jobs are late, slow or failing.
	 */
	private Duration interval = Duration.ofSeconds(10);

	/**
	 * Number of consecutive measurements that must find a threshold crossed before its
	 * alert is raised, and uncrossed before it recovers.
	 */
	private int looks = 2;

	/**
	 * Priorities 0 to 9.
	 */
	@NestedConfigurationProperty
	private final AlertClassProperties interactive = new AlertClassProperties(Duration.ofMinutes(1),
			Duration.ofSeconds(30), 3);

	/**
	 * Priorities 10 to 19.
	 */
	@NestedConfigurationProperty
	private final AlertClassProperties userVisible = new AlertClassProperties(Duration.ofMinutes(3),
			Duration.ofSeconds(90), 5);

	/**
	 * Priorities 20 to 29.
	 */
	@NestedConfigurationProperty
	private final AlertClassProperties eventual = new AlertClassProperties(Duration.ofMinutes(90),
			Duration.ofMinutes(5), 8);

	/**
	 * Priorities 30 to 99.
	 */
	@NestedConfigurationProperty
	private final AlertClassProperties reporting = new AlertClassProperties(Duration.ofHours(4), Duration.ofMinutes(10),
			8);

	/**
	 * Thresholds of single types, by name: run-time and attempts, which replace those of
	 * the priority class for jobs of the type.
	 */
	private final Map<String, AlertTypeProperties> types = new LinkedHashMap<>();

	public Duration getInterval() {
		return this.interval;
	}

	public void setInterval(Duration interval) {
		this.interval = interval;
	}

	public int getLooks() {
		return this.looks;
	}

	public void setLooks(int looks) {
		this.looks = looks;
	}

	public AlertClassProperties getInteractive() {
		return this.interactive;
	}

	public AlertClassProperties getUserVisible() {
		return this.userVisible;
	}

	public AlertClassProperties getEventual() {
		return this.eventual;
	}

	public AlertClassProperties getReporting() {
		return this.reporting;
	}

	public Map<String, AlertTypeProperties> getTypes() {
		return this.types;
	}

}
