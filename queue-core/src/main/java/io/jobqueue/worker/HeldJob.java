package io.jobqueue.worker;

import java.time.Duration;

import io.jobqueue.store.ClaimedJob;

/**
 * A claimed job, with the moment since when it has been held.
 */
record HeldJob(ClaimedJob job, long since) {

	static HeldJob now(ClaimedJob job) {
		return new HeldJob(job, System.nanoTime());
	}

	boolean isOlderThan(Duration age) {
		return System.nanoTime() - this.since > age.toNanos();
	}

}
