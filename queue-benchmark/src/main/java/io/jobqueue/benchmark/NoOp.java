package io.jobqueue.benchmark;

/**
 * The payload of jobs that do nothing.
 *
 * @param value a number
 */
record NoOp(long value) {
}
