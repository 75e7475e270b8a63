package io.jobqueue.model;

import io.jobqueue.internal.store.ClaimedJob;

/**
 * A job that a node believes to have.
 */
record Holding(Node node, ClaimedJob job) {
}
