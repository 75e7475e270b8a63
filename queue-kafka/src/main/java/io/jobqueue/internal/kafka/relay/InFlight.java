package io.jobqueue.internal.kafka.relay;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

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

	private final Map<Object, Long> sizes = new HashMap<>();

	private long bytes;

	private long lastProgress = System.nanoTime();

	/**
	 * Create a count.
	 * @param maxBytes the maximum size of all jobs
	 */
	InFlight(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	synchronized void begin(Object job, long size) {
		if (this.sizes.isEmpty()) {
			this.lastProgress = System.nanoTime();
		}
		this.sizes.put(job, size);
		this.bytes += size;
	}

	/**
	 * Note that a job has ended. Only its first end counts: a send may throw although the
	 * producer has taken the record.
	 * @return {@code true} if jobs can be claimed from now on
	 */
	synchronized boolean end(Object job) {
		boolean before = room() > 0;
		Long size = this.sizes.remove(job);
		if (size == null) {
			return false;
		}
		this.bytes -= size;
		this.lastProgress = System.nanoTime();
		return !before && room() > 0;
	}

	synchronized int room() {
		int free = MAX_JOBS - this.sizes.size();
		return (free >= MIN_CLAIM && this.bytes < this.maxBytes / 2) ? free : 0;
	}

	synchronized long freeBytes() {
		return Math.max(1, this.maxBytes - this.bytes);
	}

	synchronized boolean isEmpty() {
		return this.sizes.isEmpty();
	}

	/**
	 * Return the time for which no job has ended although there are some.
	 */
	synchronized Duration silence() {
		return this.sizes.isEmpty() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - this.lastProgress);
	}

}
