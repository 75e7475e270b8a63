package io.jobqueue.boot.endpoint;

import java.util.List;
import java.util.Map;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.JobState;
import io.jobqueue.QueuePause;

/**
 * What there is of a queue, and what of it is paused.
 *
 * @param jobs how many jobs are in which state
 * @param estimates the states whose number is an estimate
 * @param pauses what is paused; of very many pauses, the first ones
 */
record QueueDescriptor(Map<JobState, Long> jobs, List<JobState> estimates,
		List<QueuePause> pauses) implements OperationResponseBody {
}
