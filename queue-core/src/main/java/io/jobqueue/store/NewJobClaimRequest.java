package io.jobqueue.store;

import java.time.Duration;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The claim of one new job, and the limits of its attempt if it has no options of its
 * own.
 *
 * @param job the id of the job, which has neither an ordering nor a limit key
 * @param queue its queue, which has no limits over all workers
 * @param type the name of its type
 * @param claim the number of this claim, unique among the claims of the worker
 * @param once whether the job is delivered at most once, so that its claim is durable
 * @param maxAttempts the maximum number of attempts, 0 for no limit
 * @param maxRunTime the maximum run time of the attempt; the lease lasts 2 s longer
 * @param keepDead how long the archive keeps the job if it dies in this claim,
 * {@code null} for no limit
 */
public record NewJobClaimRequest(UUID job, String queue, String type, long claim, boolean once, int maxAttempts,
		Duration maxRunTime, @Nullable Duration keepDead) {
}
