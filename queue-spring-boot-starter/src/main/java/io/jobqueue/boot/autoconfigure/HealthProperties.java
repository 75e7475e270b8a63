package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

/**
 * Settings of the health of this node: {@code jobqueue.health}.
 */
class HealthProperties {

	/**
	 * Time after the start during which health is never DOWN.
	 */
	private Duration startGrace = Duration.ofSeconds(30);

	/**
	 * Time for which the database may fail to answer the worker before health is DOWN.
	 */
	private Duration toleratedOutage = Duration.ofSeconds(30);

	/**
	 * Minimum interval between two reads of the details from the database.
	 */
	private Duration refreshInterval = Duration.ofSeconds(10);

	/**
	 * Whether a crossed alert threshold makes health DOWN.
	 */
	private boolean alerts = false;

	public Duration getStartGrace() {
		return this.startGrace;
	}

	public void setStartGrace(Duration startGrace) {
		this.startGrace = startGrace;
	}

	public Duration getToleratedOutage() {
		return this.toleratedOutage;
	}

	public void setToleratedOutage(Duration toleratedOutage) {
		this.toleratedOutage = toleratedOutage;
	}

	public Duration getRefreshInterval() {
		return this.refreshInterval;
	}

	public void setRefreshInterval(Duration refreshInterval) {
		this.refreshInterval = refreshInterval;
	}

	public boolean isAlerts() {
		return this.alerts;
	}

	public void setAlerts(boolean alerts) {
		this.alerts = alerts;
	}

}
