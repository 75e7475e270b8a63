package io.jobqueue.worker;

/**
 * Looks for jobs now and then.
 */
interface Poller {

	/**
	 * Look by turns from now on.
	 */
	void follow(PollTurn rota);

	/**
	 * Look at once.
	 */
	void pollNow();

}
