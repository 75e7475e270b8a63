package io.jobqueue.delivery;

import io.jobqueue.JobContext;
import io.jobqueue.JobResult;

/**
 * What a handler does.
 */
@FunctionalInterface
interface Behaviour {

	JobResult handle(JobContext job) throws Throwable;

}
