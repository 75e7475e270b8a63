package io.jobqueue.boot.endpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

import io.jobqueue.JobState;
import io.jobqueue.JobStats;
import io.jobqueue.QueuePause;

/**
 * What there is, and what is paused.
 *
 * @param jobs how many jobs are in which state
 * @param estimates the states whose number is an estimate
 * @param queues the same for each queue that has jobs; of very many, for the first ones
 * @param partial whether queues are missing
 * @param pauses what is paused; of very many pauses, the first ones
 */
record OverviewDescriptor(Map<JobState, Long> jobs, List<JobState> estimates, Map<String, CountsDescriptor> queues,
		boolean partial, List<QueuePause> pauses) implements OperationResponseBody {

	static final int MAX_ROWS = 1_000;

	static OverviewDescriptor of(JobStats stats, List<QueuePause> pauses) {
		CountsDescriptor all = CountsDescriptor.of(stats);
		return new OverviewDescriptor(all.jobs(), all.estimates(), queues(stats),
				stats.partial() || stats.queues().size() > MAX_ROWS, pauses.stream().limit(MAX_ROWS).toList());
	}

	private static Map<String, CountsDescriptor> queues(JobStats stats) {
		Map<String, CountsDescriptor> queues = new TreeMap<>();
		stats.queues()
			.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.limit(MAX_ROWS)
			.forEach((queue) -> queues.put(queue.getKey(), CountsDescriptor.of(queue.getValue())));
		return queues;
	}

}
