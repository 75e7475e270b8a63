package io.jobqueue.worker;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.jobqueue.concurrent.Deadline;
import io.jobqueue.store.PauseTarget;
import io.jobqueue.store.WorkerStore;
import io.jobqueue.store.WorkerStore.PausedWork;

/**
 * What is paused, as far as this worker knows: as of the last signal, and at the latest
 * of the last heartbeat. Where no signals are heard, it looks again if it has not looked
 * for a moment, whenever it is about to claim or something is paused.
 */
final class Pauses {

	private static final Duration MOMENT = Duration.ofMillis(500);

	private final WorkerStore store;

	private final BooleanSupplier wakeUpWorks;

	private final Deadline look = new Deadline();

	private volatile PausedWork known = PausedWork.NONE;

	private volatile boolean outdated = true;

	Pauses(WorkerStore store, BooleanSupplier wakeUpWorks) {
		this.store = store;
		this.wakeUpWorks = wakeUpWorks;
	}

	/**
	 * Look again before the next claim.
	 */
	void outdate() {
		this.outdated = true;
	}

	/**
	 * Return whether something else is paused than is known. What the heartbeat before
	 * has heard does not tell: a signal may have been heard since, and the next one lost.
	 * @param pauses what a heartbeat has heard
	 */
	boolean differFrom(long pauses) {
		return pauses != this.known.number();
	}

	/**
	 * Return what is paused. Whatever is told of while it looks, is looked at again.
	 * @param claiming whether there may be something to claim
	 */
	synchronized Set<PauseTarget> current(boolean claiming) {
		boolean matters = claiming || !this.known.paused().isEmpty();
		if (this.outdated || (matters && this.look.isDue() && !this.wakeUpWorks.getAsBoolean())) {
			this.outdated = false;
			this.known = read();
			this.look.reset(MOMENT);
		}
		return this.known.paused();
	}

	private PausedWork read() {
		try {
			return this.store.paused();
		}
		catch (RuntimeException | Error ex) {
			this.outdated = true;
			throw ex;
		}
	}

}
