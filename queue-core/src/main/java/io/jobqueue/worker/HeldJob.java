package io.jobqueue.worker;

import java.time.Duration;

import io.jobqueue.store.ClaimedJob;

/**
 * A claimed job, with the moment since when it may have been held: its claim was about to
 * be asked for. The most urgent comes first.
 */
record HeldJob(ClaimedJob job, long since) implements Comparable<HeldJob> {

	/**
	 * Longer than this a job is not held for a handler to become free.
	 */
	static final Duration FRESH = Duration.ofSeconds(1);

	private static final int SHARES_OF_LEASE = 4;

	/**
	 * Return whether hardly any of the lease has passed.
	 */
	boolean isFresh() {
		long age = age();
		return age <= FRESH.toNanos() && age <= this.job.maxRunTime().toNanos() / SHARES_OF_LEASE;
	}

	/**
	 * A job that was taken away and claimed again is two.
	 */
	@Override
	public int compareTo(HeldJob other) {
		int byPriority = Integer.compare(this.job.priority(), other.job.priority());
		if (byPriority != 0) {
			return byPriority;
		}
		int byPlace = this.job.position().compareTo(other.job.position());
		return (byPlace != 0) ? byPlace : Long.compare(this.job.claim(), other.job.claim());
	}

	boolean isOlderThan(Duration age) {
		return age() > age.toNanos();
	}

	private long age() {
		return System.nanoTime() - this.since;
	}

}
