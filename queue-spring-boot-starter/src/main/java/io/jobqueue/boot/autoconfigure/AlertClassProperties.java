package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

/**
 * What is too much for the jobs of a priority class, such as
 * {@code jobqueue.alerts.interactive}.
 */
class AlertClassProperties {

	/**
	 * Time for which a due job may wait before that is an alert; 0 for none.
	 */
	private Duration age;

	/**
	 * Time for which a handler may be at a job before that is an alert; 0 for none.
	 */
	private Duration runTime;

	/**
	 * Number of failed attempts of a job that is an alert; 0 for none.
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
