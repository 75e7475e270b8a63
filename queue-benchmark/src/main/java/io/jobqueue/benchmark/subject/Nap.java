package io.jobqueue.benchmark.subject;

/**
 * The payload of jobs that take their time.
 *
 * @param millis how long
 */
public record Nap(long millis) {
}
