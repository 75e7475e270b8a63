package io.jobqueue.model;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.JobState;

/**
 * What the tables hold; times are minutes of the story's clock.
 *
 * @param jobs the jobs, live and archived
 * @param claims the claims
 * @param workers when each worker was last active
 * @param rate how many jobs were claimed under the rate, by minute
 * @param keys how many unique keys are known, which jobs without keys never change
 */
record Snapshot(Map<UUID, Job> jobs, Map<ClaimKey, Claimed> claims, Map<UUID, Integer> workers,
		Map<Integer, Integer> rate, long keys) {

	/**
	 * A job.
	 *
	 * @param state its state
	 * @param priority its priority
	 * @param runAt when it is due
	 * @param attempts how many attempts were counted
	 * @param failures how many of them failed
	 * @param expectedFailures how many failed as expected
	 * @param holder who has claimed it
	 * @param leaseUntil until when
	 * @param keepUntil how long the archive keeps it
	 */
	record Job(JobState state, int priority, int runAt, int attempts, int failures, int expectedFailures,
			@Nullable ClaimKey holder, @Nullable Integer leaseUntil, @Nullable Integer keepUntil) {
	}

	/**
	 * What a claim took.
	 *
	 * @param expiresAt when the reaper is to look after it
	 * @param jobs the jobs
	 */
	record Claimed(int expiresAt, Set<UUID> jobs) {
	}

}
