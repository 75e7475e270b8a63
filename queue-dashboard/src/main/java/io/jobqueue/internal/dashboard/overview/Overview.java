package io.jobqueue.internal.dashboard.overview;

import java.util.List;

/**
 * Whether the queue is well, and what it holds.
 *
 * @param problems what is wrong, empty if all is well
 * @param queues the jobs of queues and priority classes, ordered by these
 * @param unlisted the number of further queues and priority classes
 * @param partial whether queues without a worker are missing, as there are more than
 * 1,000 queues and priorities
 * @param workers the workers of all nodes
 */
public record Overview(List<Problem> problems, List<QueueRow> queues, int unlisted, boolean partial,
		WorkerTable workers) {

	/**
	 * The number of workers that the overview shows.
	 */
	private static final int FEW = 5;

	private static final int SHOWN_PROBLEMS = 6;

	private static final int MAX_PROBLEMS = 500;

	/**
	 * Return the names of the queues.
	 * @return each name once
	 */
	public List<String> names() {
		return this.queues.stream().map((row) -> row.subject().queue()).distinct().toList();
	}

	/**
	 * Return the problems that are shown.
	 * @return the first six
	 */
	public List<Problem> firstProblems() {
		return this.problems.subList(0, Math.min(SHOWN_PROBLEMS, this.problems.size()));
	}

	/**
	 * Return the problems that are shown on demand.
	 * @return those after the first six, up to the five-hundredth
	 */
	public List<Problem> furtherProblems() {
		return this.problems.subList(firstProblems().size(), Math.min(MAX_PROBLEMS, this.problems.size()));
	}

	/**
	 * Return the workers that are shown.
	 * @return the first five
	 */
	public List<WorkerRow> firstWorkers() {
		return this.workers.first(FEW);
	}

	/**
	 * Return whether nothing is known of any queue.
	 * @return {@code true} if there is no job, no queue that a worker serves and no
	 * problem
	 */
	public boolean isNew() {
		return this.queues.isEmpty() && this.problems.isEmpty();
	}

	/**
	 * Return whether all numbers of unfinished jobs are known.
	 * @return {@code false} if the database took too long to count
	 */
	public boolean counted() {
		return this.queues.stream().allMatch((row) -> row.counts() != null);
	}

}
