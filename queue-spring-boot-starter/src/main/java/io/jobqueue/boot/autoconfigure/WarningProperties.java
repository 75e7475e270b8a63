package io.jobqueue.boot.autoconfigure;

import java.time.Duration;

/**
 * Settings of warnings in the log, which appear once an hour at most.
 */
class WarningProperties {

	/**
	 * Number of unfinished jobs that a queue may hold without a warning; 0 for any
	 * number.
	 */
	private int jobs = 1_000_000;

	/**
	 * Time for which the oldest snapshot of the database may be held without a warning; 0
	 * for any time.
	 */
	private Duration snapshotAge = Duration.ofMinutes(5);

	public int getJobs() {
		return this.jobs;
	}

	public void setJobs(int jobs) {
		this.jobs = jobs;
	}

	public Duration getSnapshotAge() {
		return this.snapshotAge;
	}

	public void setSnapshotAge(Duration snapshotAge) {
		this.snapshotAge = snapshotAge;
	}

}
