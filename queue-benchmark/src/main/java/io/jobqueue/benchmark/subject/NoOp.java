package io.jobqueue.benchmark.subject;

/**
 * The payload of jobs that do nothing.
 *
 * @param value a number
 */
public record NoOp(long value) {
}
