package io.jobqueue.internal.kafka.relay;

import java.time.Duration;

/**
 * Counts the jobs that wait for their acknowledgement, and how long there was none.
 */
final class InFlight {

	/**
	 * The maximum number of jobs.
	 */
	static final int MAX_JOBS = 4_000;

	/**
	 * The free places from which on jobs are claimed, so that claims are not small.
	 */
	private static final int MIN_CLAIM = 500;

	private final long maxBytes;

	private int jobs;

	private long bytes;

	private long lastProgress = System.nanoTime();

	/**
	 * Create a count.
	 * @param maxBytes the maximum size of all jobs
	 */
	InFlight(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	synchronized void begin(long size) {
		if (this.jobs == 0) {
			this.lastProgress = System.nanoTime();
		}
		this.jobs++;
		this.bytes += size;
	}

	/**
	 * Note that a job has ended.
	 * @return {@code true} if jobs can be claimed from now on
	 */
	synchronized boolean end(long size) {
		boolean before = room() > 0;
		this.jobs--;
		this.bytes -= size;
		this.lastProgress = System.nanoTime();
		return !before && room() > 0;
	}

	synchronized int room() {
		int free = MAX_JOBS - this.jobs;
		return (free >= MIN_CLAIM && this.bytes < this.maxBytes / 2) ? free : 0;
	}

	synchronized long freeBytes() {
		return Math.max(1, this.maxBytes - this.bytes);
	}

	synchronized boolean isEmpty() {
		return this.jobs == 0;
	}

	/**
	 * Return the time for which no job has ended although there are some.
	 */
	synchronized Duration silence() {
		return (this.jobs == 0) ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - this.lastProgress);
	}

}
