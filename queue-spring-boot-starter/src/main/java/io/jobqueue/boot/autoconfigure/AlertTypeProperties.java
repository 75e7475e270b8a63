package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What is too much for the jobs of a type: {@code jobqueue.alerts.types.<type>}.
 */
class AlertTypeProperties {

	/**
	 * Time for which a handler may be at a job; 0 for any. Default: that of the priority
	 * class.
	 */
	private @Nullable Duration runTime;

	/**
	 * Number of failed attempts of a job; 0 for any. Default: that of the priority class.
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
