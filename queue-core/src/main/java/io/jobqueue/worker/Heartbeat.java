package io.jobqueue.worker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.store.Worker;
import io.jobqueue.store.WorkerStore;

/**
 * Tells the database that this worker is alive.
 */
final class Heartbeat implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	private final Worker worker;

	private final WorkerStore store;

	private final Runnable onIntroduced;

	private final Outage outage = new Outage(logger, "The worker's heartbeat");

	private boolean introduced;

	Heartbeat(Worker worker, WorkerStore store, Runnable onIntroduced) {
		this.worker = worker;
		this.store = store;
		this.onIntroduced = onIntroduced;
	}

	@Override
	public void run() {
		try {
			boolean known = this.store.checkIn(this.worker);
			this.outage.over();
			if (!known) {
				introduced();
			}
		}
		catch (Throwable ex) {
			this.outage.failed(ex);
		}
	}

	private void introduced() {
		if (this.introduced) {
			logger.warn("Worker {} was silent for its timeout of {} and taken for dead; its jobs were given to others",
					this.worker.name(), this.worker.timeout());
		}
		this.introduced = true;
		this.onIntroduced.run();
	}

}
