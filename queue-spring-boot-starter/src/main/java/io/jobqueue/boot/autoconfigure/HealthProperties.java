package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

/**
 * When this node counts as well: {@code jobqueue.health}.
 */
class HealthProperties {

	/**
	 * Time after the start in which health is not DOWN, whatever is wrong.
	 */
	private Duration startGrace = Duration.ofSeconds(30);

	/**
	 * Time for which the database may leave the worker without an answer before health is
	 * DOWN.
	 */
	private Duration toleratedOutage = Duration.ofSeconds(30);

	/**
	 * Interval in which the details are read from the database, at most.
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
