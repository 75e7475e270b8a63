package io.jobqueue.docs;

/**
 * Money that came to an account, or left it.
 */
record AccountMoved(long accountId, long cents) {
}
