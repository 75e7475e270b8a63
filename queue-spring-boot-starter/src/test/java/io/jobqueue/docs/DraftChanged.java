package io.jobqueue.docs;

/**
 * A text while somebody writes it.
 */
record DraftChanged(long draftId, String text) {
}
