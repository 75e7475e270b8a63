package io.jobqueue.internal.worker.execution;

import java.time.Duration;

import io.jobqueue.Priority;

/**
 * A job that runs in this JVM, on a handler thread or pulled by the application.
 *
 * @param queue its queue
 * @param type the name of its type
 * @param priority its priority
 * @param runTime the time since its run began
 */
public record RunningJob(String queue, String type, Priority priority, Duration runTime) {
}
