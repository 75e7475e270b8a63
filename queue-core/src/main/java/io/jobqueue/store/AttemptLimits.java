package io.jobqueue.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Limits of the attempts of one type of jobs. What is {@code null} is the queue's.
 *
 * @param maxAttempts after how many attempts a job is given up, 0 for never
 * @param maxRunTime how long the lease lasts
 */
public record AttemptLimits(@Nullable Integer maxAttempts, @Nullable Duration maxRunTime) {
}
