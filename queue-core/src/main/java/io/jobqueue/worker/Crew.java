package io.jobqueue.worker;

import java.util.concurrent.Executor;

/**
 * The handlers of a lane. One that is stuck is replaced, as often as there are handlers:
 * beyond that, nobody takes jobs until one of the stuck has ended. Guarded by its lane.
 */
final class Crew {

	private final int size;

	private final Executor threads;

	private final Runnable work;

	private int active;

	private int stuck;

	Crew(int size, Executor threads, Runnable work) {
		this.size = size;
		this.threads = threads;
		this.work = work;
	}

	int size() {
		return this.size;
	}

	int active() {
		return this.active;
	}

	boolean isComplete() {
		return this.active >= this.size;
	}

	boolean isHalted() {
		return this.stuck > this.size;
	}

	/**
	 * Have so many handlers at work, if there are as many.
	 */
	void employ(int handlers) {
		while (!isComplete() && !isHalted() && this.active < handlers) {
			this.active++;
			this.threads.execute(this.work);
		}
	}

	void leave() {
		this.active--;
	}

	void replace() {
		this.active--;
		this.stuck++;
	}

	void leaveReplaced() {
		this.stuck--;
	}

}
