package io.jobqueue.docs;

/**
 * A payload.
 */
record ReportWanted(String report) {
}
