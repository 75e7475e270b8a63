package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

/**
 * Alert thresholds of a priority class, such as {@code jobqueue.alerts.interactive}.
 */
class AlertClassProperties {

	/**
	 * Waiting time of a due job at which an alert is raised; 0 for none.
	 */
	private Duration age;

	/**
	 * Run time of a handler at which an alert is raised; 0 for none.
	 */
	private Duration runTime;

	/**
	 * Number of failed attempts of a job at which an alert is raised; 0 for none.
	 */
	private int attempts;

	AlertClassProperties(Duration age, Duration runTime, int attempts) {
		this.age = age;
		this.runTime = runTime;
		this.attempts = attempts;
	}

	public Duration getAge() {
		return this.age;
	}

	public void setAge(Duration age) {
		this.age = age;
	}

	public Duration getRunTime() {
		return this.runTime;
	}

	public void setRunTime(Duration runTime) {
		this.runTime = runTime;
	}

	public int getAttempts() {
		return this.attempts;
	}

	public void setAttempts(int attempts) {
		this.attempts = attempts;
	}

}
