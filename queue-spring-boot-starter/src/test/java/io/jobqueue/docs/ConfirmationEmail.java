package io.jobqueue.docs;

/**
 * The payload of the first example.
 */
record ConfirmationEmail(long userId) {
}
