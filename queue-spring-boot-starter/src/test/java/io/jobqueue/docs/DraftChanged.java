package io.jobqueue.docs;

/**
 * A change of a text that is being written.
 */
record DraftChanged(long draftId, String text) {
}
