package io.jobqueue.internal.worker;

import io.jobqueue.internal.store.WorkerStore.CheckInResult;
import io.jobqueue.internal.store.WorkerStore.Ticks;

/**
 * Ticks schedules while a worker runs. The heartbeats of the worker read the time of the
 * next tick.
 */
public interface Ticker {

	/**
	 * Tick from now on. This does not throw if the database cannot be reached.
	 * @param node the name of the node, for its thread
	 */
	void start(String node);

	/**
	 * Return the schedules whose next tick a heartbeat looks for.
	 * @return the schedules
	 */
	Ticks ticks();

	/**
	 * Take the time of the next tick from a heartbeat.
	 * @param checkIn the answer to the heartbeat
	 */
	void checkedIn(CheckInResult checkIn);

	/**
	 * Start no further tick, and wait for a running one for a limited time.
	 * @throws InterruptedException if the thread is interrupted
	 */
	void stop() throws InterruptedException;

}
