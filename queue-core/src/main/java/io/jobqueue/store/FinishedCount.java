package io.jobqueue.store;

import io.jobqueue.JobState;

/**
 * How many archived jobs of a queue are in a state.
 *
 * @param queue the queue
 * @param state the state
 * @param count the number
 */
public record FinishedCount(String queue, JobState state, JobCount count) {
}
