package io.jobqueue.worker.fetch;

/**
 * Polls the backlog, alone or by turns with other workers.
 */
public interface Poller {

	/**
	 * Poll by turns from now on.
	 * @param turn the turn of this worker
	 */
	void follow(PollTurn turn);

	/**
	 * Poll at once.
	 */
	void pollNow();

}
