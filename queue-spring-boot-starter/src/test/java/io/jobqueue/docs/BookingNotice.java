package io.jobqueue.docs;

/**
 * A payload.
 */
record BookingNotice(int account) {
}
