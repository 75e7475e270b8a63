package io.jobqueue.docs;

/**
 * A payload.
 */
record CardPayment(long cents) {
}
