package io.jobqueue.docs;

/**
 * A payload.
 */
record Booking(int account, long cents) {
}
