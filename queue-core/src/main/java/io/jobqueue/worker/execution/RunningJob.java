package io.jobqueue.worker.execution;

import java.time.Duration;

import io.jobqueue.Priority;

/**
 * A job that somebody works on in this JVM.
 *
 * @param queue its queue
 * @param type the name of its type
 * @param priority its priority
 * @param runTime how long the work on it has been going on
 */
public record RunningJob(String queue, String type, Priority priority, Duration runTime) {
}
