package io.jobqueue.internal.boot.endpoint;

/**
 * A payload.
 *
 * @param text its text
 */
record Mail(String text) {
}
