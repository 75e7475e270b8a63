package io.jobqueue.docs;

/**
 * A payload whose class names its type.
 */
record InvoicePaid(long invoiceId) {
}
