package io.jobqueue.docs;

import io.jobqueue.JobType;

/**
 * A payload whose type was renamed.
 */
@JobType(value = "invoice-paid", aliases = "InvoicePayment")
record InvoicePaid(long invoiceId) {
}
