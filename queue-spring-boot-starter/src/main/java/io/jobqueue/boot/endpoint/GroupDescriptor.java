package io.jobqueue.boot.endpoint;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.JobState;

/**
 * How far the jobs of a group have come.
 *
 * @param jobs how many are in which state
 * @param total how many there are
 * @param finished how many have ended
 */
record GroupDescriptor(Map<JobState, Long> jobs, long total, long finished) implements OperationResponseBody {
}
