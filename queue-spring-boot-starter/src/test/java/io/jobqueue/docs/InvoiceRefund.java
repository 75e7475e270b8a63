package io.jobqueue.docs;

/**
 * A payload of a handler with a retry policy of its own.
 */
record InvoiceRefund(long invoiceId) {
}
