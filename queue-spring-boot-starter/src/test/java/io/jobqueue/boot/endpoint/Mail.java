package io.jobqueue.boot.endpoint;

/**
 * A payload.
 *
 * @param text its text
 */
record Mail(String text) {
}
