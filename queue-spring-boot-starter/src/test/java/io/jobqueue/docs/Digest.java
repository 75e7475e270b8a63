package io.jobqueue.docs;

/**
 * A payload.
 */
record Digest(long tenantId) {
}
