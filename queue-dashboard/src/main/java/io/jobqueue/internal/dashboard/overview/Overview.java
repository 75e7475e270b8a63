package io.jobqueue.internal.dashboard.overview;

import java.util.List;

import io.jobqueue.JobState;
import io.jobqueue.JobStats;

/**
 * What the overview shows.
 *
 * @param queues the queues that hold jobs, by name
 * @param partial whether queues are missing
 */
public record Overview(List<Queue> queues, boolean partial) {

	static Overview of(JobStats stats) {
		return new Overview(stats.queues()
			.entrySet()
			.stream()
			.map((entry) -> new Queue(entry.getKey(), entry.getValue()))
			.sorted((one, other) -> one.name().compareTo(other.name()))
			.toList(), stats.partial());
	}

	/**
	 * Return the states in the order of the columns.
	 * @return all states
	 */
	public List<JobState> states() {
		return List.of(JobState.values());
	}

	/**
	 * A queue.
	 *
	 * @param name its name
	 * @param stats the numbers of its jobs
	 */
	public record Queue(String name, JobStats stats) {

	}

}
