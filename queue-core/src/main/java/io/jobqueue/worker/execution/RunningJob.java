package io.jobqueue.worker.execution;

import java.time.Duration;

import io.jobqueue.Priority;

/**
 * A job that runs in this JVM, on a handler's thread or pulled by the application.
 *
 * @param queue its queue
 * @param type the name of its type
 * @param priority its priority
 * @param runTime how long the work on it has been going on
 */
public record RunningJob(String queue, String type, Priority priority, Duration runTime) {
}
