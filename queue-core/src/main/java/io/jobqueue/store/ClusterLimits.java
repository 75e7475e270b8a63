package io.jobqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What limits the jobs of a queue, over all workers together.
 *
 * @param concurrency how many may be claimed at a time, {@code null} for no limit
 * @param rate how many may be claimed per {@link Rate#period()}, {@code null} for no
 * limit
 */
public record ClusterLimits(@Nullable Integer concurrency, @Nullable Rate rate) {

	/**
	 * No limits.
	 */
	public static final ClusterLimits NONE = new ClusterLimits(null, null);

	/**
	 * Return whether there are no limits.
	 * @return {@code true} if any number of jobs may be claimed
	 */
	public boolean isNone() {
		return this.concurrency == null && this.rate == null;
	}

	/**
	 * How many jobs may be claimed in any period of the given length.
	 *
	 * @param limit the number of jobs
	 * @param period the length
	 */
	public record Rate(int limit, Duration period) {
	}

}
