package io.jobqueue.store;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

/**
 * What a worker can take of one queue, and what a job without options of its own is
 * subject to while this worker has it.
 *
 * @param queue the queue
 * @param types the types that the worker has a handler for
 * @param onceTypes those of them that are delivered at most once: their jobs are claimed
 * for free handlers only, and durably
 * @param claim the number of this claim, never used before by this worker
 * @param free how many handlers are free: jobs on their last attempt are claimed for
 * these only
 * @param prefetch how many jobs to claim beyond that
 * @param bytes how many bytes the payloads and headers of the jobs may have together,
 * uncompressed; the first job is claimed whatever its size
 * @param maxAttempts after how many attempts a job is given up, 0 for never
 * @param maxRunTime how long the lease lasts
 * @param keepDead how long the archive keeps a job that dies in this claim, {@code null}
 * for ever
 * @param positions the tiers to take jobs of, best first, and the place in each before
 * which nothing is looked for
 * @param limits what all workers together may claim
 * @param typeLimits limits of types that differ from those of the queue, by type
 */
public record ClaimRequest(String queue, Set<String> types, Set<String> onceTypes, long claim, int free, int prefetch,
		long bytes, int maxAttempts, Duration maxRunTime, @Nullable Duration keepDead,
		SortedMap<Tier, JobPosition> positions, ClusterLimits limits, Map<String, AttemptLimits> typeLimits) {

	/**
	 * Create a request that is limited in jobs alone, and treats all types alike.
	 * @param queue the queue
	 * @param types the types that the worker has a handler for
	 * @param onceTypes those of them that are delivered at most once
	 * @param claim the number of this claim
	 * @param free how many handlers are free
	 * @param prefetch how many jobs to claim beyond that
	 * @param maxAttempts after how many attempts a job is given up, 0 for never
	 * @param maxRunTime how long the lease lasts
	 * @param keepDead how long the archive keeps a job that dies in this claim,
	 * {@code null} for ever
	 * @param positions the tiers to take jobs of
	 * @param limits what all workers together may claim
	 */
	public ClaimRequest(String queue, Set<String> types, Set<String> onceTypes, long claim, int free, int prefetch,
			int maxAttempts, Duration maxRunTime, @Nullable Duration keepDead, SortedMap<Tier, JobPosition> positions,
			ClusterLimits limits) {
		this(queue, types, onceTypes, claim, free, prefetch, Long.MAX_VALUE, maxAttempts, maxRunTime, keepDead,
				positions, limits, Map.of());
	}

	/**
	 * Return the same request with limits of single types.
	 * @param typeLimits the limits by type
	 * @return a copy
	 */
	public ClaimRequest withTypeLimits(Map<String, AttemptLimits> typeLimits) {
		return new ClaimRequest(this.queue, this.types, this.onceTypes, this.claim, this.free, this.prefetch,
				this.bytes, this.maxAttempts, this.maxRunTime, this.keepDead, this.positions, this.limits, typeLimits);
	}

	/**
	 * Return the same request for so many jobs and bytes at most.
	 * @param jobs the number of jobs
	 * @param bytes the number of bytes
	 * @return a copy
	 */
	public ClaimRequest within(int jobs, long bytes) {
		int fewer = Math.min(this.free, jobs);
		return new ClaimRequest(this.queue, this.types, this.onceTypes, this.claim, fewer,
				Math.min(this.prefetch, jobs - fewer), bytes, this.maxAttempts, this.maxRunTime, this.keepDead,
				this.positions, this.limits, this.typeLimits);
	}

	/**
	 * Return how many jobs to claim at most, but for the limits.
	 * @return the number
	 */
	public int quota() {
		return this.free + this.prefetch;
	}

	/**
	 * Limits of the attempts of one type of jobs. What is {@code null} is the queue's.
	 *
	 * @param maxAttempts after how many attempts a job is given up, 0 for never
	 * @param maxRunTime how long the lease lasts
	 */
	public record AttemptLimits(@Nullable Integer maxAttempts, @Nullable Duration maxRunTime) {
	}

}
