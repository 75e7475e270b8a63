package io.jobqueue.docs;

/**
 * What a payment service tells, sometimes twice.
 */
record PaymentEvent(String id) {
}
