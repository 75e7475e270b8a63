package io.jobqueue.docs;

/**
 * Some years are to be packed.
 */
record ArchiveWanted(int from, int to) {
}
