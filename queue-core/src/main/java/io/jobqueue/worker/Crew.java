package io.jobqueue.worker;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of a lane. One that is stuck is replaced, as often as there are handlers:
 * beyond that, nobody takes jobs until one of the stuck has ended. Guarded by its lane.
 */
final class Crew {

	private static final Logger logger = LoggerFactory.getLogger(Crew.class);

	private final int size;

	private final Executor threads;

	private final Runnable work;

	private final Set<HandlerRun> stuck = new HashSet<>();

	private int active;

	private boolean outOfThreads;

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

	boolean isIdle() {
		return this.active == 0 && this.stuck.isEmpty();
	}

	boolean isComplete() {
		return this.active >= this.size;
	}

	boolean isHalted() {
		return this.stuck.size() > this.size;
	}

	/**
	 * Have so many handlers at work, if there are as many.
	 */
	void employ(int handlers) {
		boolean hired = true;
		while (hired && !isComplete() && !isHalted() && this.active < handlers) {
			hired = hire();
		}
	}

	/**
	 * The system may be out of threads. Jobs wait then, until they go back.
	 */
	private boolean hire() {
		try {
			this.threads.execute(this.work);
			this.active++;
			this.outOfThreads = false;
		}
		catch (RuntimeException | Error ex) {
			if (!this.outOfThreads) {
				logger.error("No further handler can begin: there is no thread for it", ex);
			}
			this.outOfThreads = true;
		}
		return !this.outOfThreads;
	}

	void leave() {
		this.active--;
	}

	void replace(HandlerRun run) {
		this.active--;
		this.stuck.add(run);
	}

	void leaveReplaced(HandlerRun run) {
		this.stuck.remove(run);
	}

	Set<HandlerRun> stuck() {
		return this.stuck;
	}

}
