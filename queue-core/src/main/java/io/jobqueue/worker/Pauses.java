package io.jobqueue.worker;

import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;

import io.jobqueue.store.Paused;
import io.jobqueue.store.WorkerStore;

/**
 * What is paused, as far as this worker knows: as of the last signal, and at the latest
 * of the last heartbeat. Where no signals are heard, it looks again whenever it is about
 * to claim and has not looked for a moment.
 */
final class Pauses {

	private static final Duration MOMENT = Duration.ofMillis(500);

	private final WorkerStore store;

	private final BooleanSupplier wakeUpWorks;

	private final Alarm look = new Alarm();

	private Set<Paused> known = Set.of();

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
	 * Return what is paused. Whatever is told of while it looks, is looked at again.
	 */
	synchronized Set<Paused> current() {
		if (this.outdated || (this.look.isDue() && !this.wakeUpWorks.getAsBoolean())) {
			this.outdated = false;
			this.known = read();
			this.look.reset(MOMENT);
		}
		return this.known;
	}

	private Set<Paused> read() {
		try {
			return this.store.paused();
		}
		catch (RuntimeException | Error ex) {
			this.outdated = true;
			throw ex;
		}
	}

}
