package io.jobqueue.recovery;

/**
 * A step in the life of jobs at which something can be killed.
 */
enum CrashPoint {

	/**
	 * The jobs are written, and their transaction is open.
	 */
	INSERTED(1),

	/**
	 * The jobs are committed, and no wake-up has been published.
	 */
	COMMITTED(1),

	/**
	 * A claim is about to be sent.
	 */
	CLAIMING(1),

	/**
	 * The jobs are claimed, and the worker does not know it.
	 */
	CLAIMED(1),

	/**
	 * All handlers have begun.
	 */
	BEGUN(3),

	/**
	 * All handlers have written what they have to write.
	 */
	WRITTEN(3),

	/**
	 * The transactional job is completed, and its transaction is open.
	 */
	FENCED(1),

	/**
	 * The transactional job is completed and committed, and the worker does not know it.
	 */
	ENDED(1),

	/**
	 * An outcome is about to be written.
	 */
	RECORDING(1),

	/**
	 * An outcome is written, and the worker does not know it.
	 */
	RECORDED(1);

	private final int arrivals;

	CrashPoint(int arrivals) {
		this.arrivals = arrivals;
	}

	/**
	 * Return how many threads arrive there.
	 */
	int arrivals() {
		return this.arrivals;
	}

}
