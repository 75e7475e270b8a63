package io.jobqueue.benchmark.waiting;

/**
 * The payload of jobs that wait.
 *
 * @param millis how long
 */
record Pause(long millis) {
}
