package io.jobqueue.worker;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.jobqueue.concurrent.Deadline;
import io.jobqueue.store.PauseTarget;
import io.jobqueue.store.WorkerStore;
import io.jobqueue.store.WorkerStore.PausedWork;

/**
 * What is paused, as of the last signal or heartbeat. Where signals do not arrive, it is
 * read again after half a second, before a claim and while something is paused.
 */
public final class Pauses {

	private static final Duration READ_INTERVAL = Duration.ofMillis(500);

	private final WorkerStore store;

	private final BooleanSupplier wakeUpWorks;

	private final Deadline nextRead = new Deadline();

	private volatile PausedWork known = PausedWork.NONE;

	private volatile boolean outdated = true;

	/**
	 * Create pauses, of which none is known.
	 * @param store the store of workers
	 * @param wakeUpWorks whether signals of other nodes arrive
	 */
	public Pauses(WorkerStore store, BooleanSupplier wakeUpWorks) {
		this.store = store;
		this.wakeUpWorks = wakeUpWorks;
	}

	/**
	 * Read the pauses again before the next claim.
	 */
	public void invalidate() {
		this.outdated = true;
	}

	/**
	 * Return whether the pauses differ from those that are known. The number of the
	 * heartbeat before is not compared: a signal may have arrived since, and the next one
	 * may be lost.
	 * @param pauses the number of the last change, as a heartbeat reads it
	 * @return {@code true} if the pauses have to be read again
	 */
	public boolean differFrom(long pauses) {
		return pauses != this.known.number();
	}

	/**
	 * Return what is paused. A signal that arrives during the read causes another read.
	 * @param claiming whether there may be something to claim
	 * @return the queues and types
	 */
	public synchronized Set<PauseTarget> current(boolean claiming) {
		boolean relevant = claiming || !this.known.paused().isEmpty();
		if (this.outdated || (relevant && this.nextRead.isDue() && !this.wakeUpWorks.getAsBoolean())) {
			this.outdated = false;
			this.known = read();
			this.nextRead.reset(READ_INTERVAL);
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
