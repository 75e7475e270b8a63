package io.jobqueue.docs;

/**
 * A payload.
 */
record Import(int pages) {
}
