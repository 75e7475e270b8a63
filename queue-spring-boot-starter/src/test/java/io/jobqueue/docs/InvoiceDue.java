package io.jobqueue.docs;

import io.jobqueue.JobType;

/**
 * A payload that names its type and queue.
 */
@JobType(value = "invoice-due", queue = "invoices")
record InvoiceDue(long invoiceId) {
}
