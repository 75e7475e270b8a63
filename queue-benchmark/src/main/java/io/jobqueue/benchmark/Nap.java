package io.jobqueue.benchmark;

/**
 * The payload of jobs that take their time.
 *
 * @param millis how long
 */
record Nap(long millis) {
}
