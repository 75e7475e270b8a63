package io.jobqueue.internal.recurring;

import java.time.Duration;

/**
 * Measures the ticks of this node. Must not throw.
 */
public interface TickListener {

	/**
	 * Called after a tick has enqueued jobs.
	 * @param late the time from the tick to the statement that enqueued the jobs
	 */
	void ticked(Duration late);

	/**
	 * Called after ticks that have enqueued no job.
	 * @param skipped the number of ticks that were skipped because the last job was live
	 * @param missed the number of ticks that were missed
	 */
	void left(long skipped, long missed);

}
