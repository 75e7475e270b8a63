package io.jobqueue.model;

import io.jobqueue.internal.store.ClaimedJob;

/**
 * What a handler has written in a transaction that is still open.
 *
 * @param job the job that it completes
 * @param another the job that it enqueues
 * @param at the minute of the completion
 */
record OpenCompletion(ClaimedJob job, ModelJob another, int at) {
}
