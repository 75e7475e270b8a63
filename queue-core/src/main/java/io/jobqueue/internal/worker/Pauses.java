package io.jobqueue.internal.worker;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.WorkerStore;
import io.jobqueue.internal.store.WorkerStore.PausedWork;

/**
 * The paused queues and types, as of the last signal or heartbeat. Without signals of
 * other nodes, they are read again before claims, and while something is paused, at most
 * every 500 ms.
 */
public final class Pauses {

	private static final Duration READ_INTERVAL = Duration.ofMillis(500);

	private final WorkerStore store;

	private final BooleanSupplier wakeUpWorks;

	private final Deadline nextRead = new Deadline();

	private volatile PausedWork known = PausedWork.NONE;

	private volatile boolean outdated = true;

	/**
	 * Create an empty set of pauses, which is read on first use.
	 */
	Pauses(WorkerStore store, BooleanSupplier wakeUpWorks) {
		this.store = store;
		this.wakeUpWorks = wakeUpWorks;
	}

	/**
	 * Read the pauses again before the next claim.
	 */
	void invalidate() {
		this.outdated = true;
	}

	/**
	 * Return whether the pauses have changed since they were last read. The number is
	 * compared with that of the last read, not of the previous heartbeat, as a signal may
	 * have caused a read in between.
	 */
	boolean differFrom(long pauses) {
		return pauses != this.known.number();
	}

	/**
	 * Return the paused queues and types. A signal that arrives during the read causes
	 * another read.
	 * @param claiming whether a claim may follow
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
