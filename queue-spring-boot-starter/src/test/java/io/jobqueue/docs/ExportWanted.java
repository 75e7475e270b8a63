package io.jobqueue.docs;

/**
 * A file is wanted.
 */
record ExportWanted(int pages) {
}
