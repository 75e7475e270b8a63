package io.jobqueue.worker;

import java.util.List;

import io.jobqueue.store.ClaimedJob;

/**
 * What a lane asks of the worker that it belongs to.
 */
interface LaneWork {

	/**
	 * Prepare a run on the current thread.
	 */
	HandlerRun begin(HeldJob held);

	/**
	 * Run a job to its outcome.
	 */
	void run(HandlerRun run);

	/**
	 * Tell of a run that could not be brought to its end.
	 */
	void failed(HandlerRun run, Throwable ex);

	/**
	 * Give back jobs that will not begin here.
	 */
	void giveBack(List<ClaimedJob> jobs);

	/**
	 * Note that a lane can take more.
	 */
	void roomFor(Lane lane);

}
