package io.jobqueue.benchmark.subject;

/**
 * The payload of jobs that take their time and may fail first.
 *
 * @param millis how long an attempt takes
 * @param failures how many attempts fail
 */
public record Work(long millis, int failures) {

}
