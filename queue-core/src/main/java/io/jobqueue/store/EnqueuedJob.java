package io.jobqueue.store;

import java.time.Instant;

import io.jobqueue.JobReceipt;

/**
 * What became of a job that was to be written.
 *
 * @param receipt what the caller is told
 * @param blocked whether it waits for another job
 * @param attempts how many attempts have begun
 * @param createdAt when it was enqueued first
 * @param at when this was decided, by the database's clock
 */
public record EnqueuedJob(JobReceipt receipt, boolean blocked, int attempts, Instant createdAt, Instant at) {
}
