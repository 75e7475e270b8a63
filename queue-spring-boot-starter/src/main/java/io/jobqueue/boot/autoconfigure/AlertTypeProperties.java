package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Alert thresholds of a type: {@code jobqueue.alerts.types.<type>}.
 */
class AlertTypeProperties {

	/**
	 * Run time of a handler at which an alert is raised; 0 for none. Default: that of the
	 * priority class.
	 */
	private @Nullable Duration runTime;

	/**
	 * Number of failed attempts of a job at which an alert is raised; 0 for none.
	 * Default: that of the priority class.
	 */
	private @Nullable Integer attempts;

	public @Nullable Duration getRunTime() {
		return this.runTime;
	}

	public void setRunTime(@Nullable Duration runTime) {
		this.runTime = runTime;
	}

	public @Nullable Integer getAttempts() {
		return this.attempts;
	}

	public void setAttempts(@Nullable Integer attempts) {
		this.attempts = attempts;
	}

}
