package io.jobqueue.docs;

/**
 * A payload.
 */
record Alarm(String building) {
}
