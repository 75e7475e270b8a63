package io.jobqueue.internal.dashboard.overview;

import java.util.List;

import io.jobqueue.QueuePause;

/**
 * What is paused.
 *
 * @param pauses the pauses, ordered by queue and type
 * @param queues the queues that living workers serve, as suggestions
 */
public record PausedQueues(List<QueuePause> pauses, List<String> queues) {

	private static final int MAX_ROWS = 500;

	/**
	 * Return the pauses that are shown.
	 * @return the first 500
	 */
	public List<QueuePause> shown() {
		return this.pauses.subList(0, Math.min(MAX_ROWS, this.pauses.size()));
	}

}
