package io.jobqueue.internal.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The limits of a queue over all workers.
 *
 * @param concurrency the maximum number of jobs that are claimed at the same time,
 * {@code null} for no limit
 * @param rate the maximum number of claims per {@link Rate#period()}, {@code null} for no
 * limit
 */
public record ClusterLimits(@Nullable Integer concurrency, @Nullable Rate rate) {

	/**
	 * No limits.
	 */
	public static final ClusterLimits NONE = new ClusterLimits(null, null);

	/**
	 * Return whether there are no limits.
	 * @return {@code true} if the number of jobs is not limited
	 */
	public boolean isNone() {
		return this.concurrency == null && this.rate == null;
	}

	/**
	 * The maximum number of jobs that are claimed within any period of the given length.
	 *
	 * @param limit the number of jobs
	 * @param period the length of the period
	 */
	public record Rate(int limit, Duration period) {
	}

}
