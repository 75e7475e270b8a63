package io.jobqueue.docs;

import io.jobqueue.JobType;

/**
 * A customer is to be imported.
 */
@JobType(queue = "customers")
record CustomerImport(long customer) {
}
