package io.jobqueue.docs;

/**
 * A payload of many jobs.
 *
 * @param address where to
 */
record LetterWanted(String address) {
}
