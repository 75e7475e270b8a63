package io.jobqueue.internal.store;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

/**
 * The jobs that a worker can claim of one queue, and the limits of attempts for jobs
 * without options of their own.
 *
 * @param queue the queue
 * @param types the types that the worker has a handler for; with {@link #ANY_TYPE}, all
 * types but those after {@link #EXCEPT}
 * @param onceTypes the types among them that are delivered at most once: their jobs are
 * claimed durably, and only for free handlers
 * @param claim the number of this claim, unique among the claims of the worker
 * @param free the number of free handlers; jobs on their last attempt are claimed for
 * these only
 * @param prefetch the number of jobs to claim in addition
 * @param bytes the maximum size of all payloads and headers together, uncompressed, in
 * bytes; the first job is claimed regardless of its size
 * @param maxAttempts the maximum number of attempts, 0 for no limit
 * @param maxRunTime the maximum run time of an attempt; the lease lasts 2 s longer
 * @param keepDead how long the archive keeps a job that dies in this claim, {@code null}
 * for no limit
 * @param positions the tiers to claim from, the most urgent first, each with the position
 * at which the claim starts to read
 * @param limits the limits over all workers
 * @param typeLimits the limits of types that differ from those of the queue, by type
 */
public record ClaimRequest(String queue, Set<String> types, Set<String> onceTypes, long claim, int free, int prefetch,
		long bytes, int maxAttempts, Duration maxRunTime, @Nullable Duration keepDead,
		SortedMap<Tier, JobPosition> positions, ClusterLimits limits, Map<String, AttemptLimits> typeLimits) {

	/**
	 * Stands for the types of all jobs. No type has this name, since names contain no
	 * space.
	 */
	public static final String ANY_TYPE = "any type";

	/**
	 * The prefix of a type that {@link #ANY_TYPE} does not include.
	 */
	public static final String EXCEPT = "except ";

	/**
	 * Return a copy of this request with a lower limit of jobs and another limit of
	 * bytes.
	 * @param jobs the maximum number of jobs, free handlers first
	 * @param bytes the maximum number of bytes
	 * @return the copy
	 */
	public ClaimRequest within(int jobs, long bytes) {
		int fewer = Math.min(this.free, jobs);
		return new ClaimRequest(this.queue, this.types, this.onceTypes, this.claim, fewer,
				Math.min(this.prefetch, jobs - fewer), bytes, this.maxAttempts, this.maxRunTime, this.keepDead,
				this.positions, this.limits, this.typeLimits);
	}

	/**
	 * Return the maximum number of jobs to claim. The limits over all workers may lower
	 * it.
	 * @return the number of jobs
	 */
	public int quota() {
		return this.free + this.prefetch;
	}

	/**
	 * Limits of the attempts of one job type. The limit of the queue applies where one is
	 * {@code null}.
	 *
	 * @param maxAttempts the maximum number of attempts, 0 for no limit
	 * @param maxRunTime the maximum run time of an attempt; the lease lasts 2 s longer
	 */
	public record AttemptLimits(@Nullable Integer maxAttempts, @Nullable Duration maxRunTime) {
	}

}
