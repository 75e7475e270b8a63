package io.jobqueue.worker;

import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.logging.DurationText;
import io.jobqueue.logging.FailureLog;
import io.jobqueue.store.WorkerStore;
import io.jobqueue.store.WorkerStore.CheckInResult;
import io.jobqueue.store.WorkerStore.Worker;
import io.jobqueue.worker.execution.CancelRequests;
import io.jobqueue.worker.fetch.PollTurn;
import io.jobqueue.worker.fetch.Poller;

/**
 * Sends the heartbeat of a worker: updates its row, and passes the poll turn, the
 * requests to cancel, the number of the latest pause and the time of the next tick to
 * their receivers.
 */
public final class Heartbeat implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Heartbeat.class);

	private Worker worker;

	private final WorkerStore store;

	private final BooleanSupplier idle;

	private final Poller poller;

	private final CancelRequests cancels;

	private final LongConsumer pauses;

	private final @Nullable Ticker ticker;

	private final FailureLog failures;

	private final SharedQueues sharedQueues;

	private boolean registered;

	/**
	 * Create a heartbeat.
	 * @param worker the worker
	 * @param store the store of workers
	 * @param idle returns whether the worker has capacity in each of its queues
	 * @param poller polls by turns
	 * @param cancels receives the requests to cancel
	 * @param pauses receives the number of the latest pause
	 * @param ticker receives the time of the next tick, {@code null} for a worker that
	 * ticks no schedule
	 */
	public Heartbeat(Worker worker, WorkerStore store, BooleanSupplier idle, Poller poller, CancelRequests cancels,
			LongConsumer pauses, @Nullable Ticker ticker) {
		this.worker = worker;
		this.store = store;
		this.failures = FailureLog.of(logger, "The heartbeat of worker " + worker.name());
		this.sharedQueues = new SharedQueues(store);
		this.idle = idle;
		this.poller = poller;
		this.cancels = cancels;
		this.pauses = pauses;
		this.ticker = ticker;
	}

	@Override
	public synchronized void run() {
		try {
			CheckInResult checkIn = checkIn();
			this.failures.succeeded();
			this.poller.follow(PollTurn.of(checkIn));
			this.cancels.replace(checkIn.cancels());
			this.pauses.accept(checkIn.pauses());
			if (this.ticker != null) {
				this.ticker.checkedIn(checkIn);
			}
			if (!checkIn.known()) {
				registered();
			}
		}
		catch (Throwable ex) {
			this.failures.failed(ex);
		}
	}

	private CheckInResult checkIn() {
		boolean free = this.idle.getAsBoolean();
		return this.registered ? this.store.checkIn(ticking(), free) : this.store.register(ticking(), free);
	}

	private Worker ticking() {
		return this.worker.ticking((this.ticker != null) ? this.ticker.ticks() : null);
	}

	/**
	 * Update the row of the worker with what it serves. Call this before it claims
	 * accordingly, since workers that serve the same take turns at polling.
	 * @param changed the changed worker
	 */
	public synchronized void changeTo(Worker changed) {
		this.store.change(changed);
		if (!changed.limits().equals(this.worker.limits())
				|| !Set.copyOf(changed.queues()).equals(Set.copyOf(this.worker.queues()))) {
			this.sharedQueues.compare(changed);
		}
		this.worker = changed;
	}

	private void registered() {
		if (this.registered) {
			logger.warn(
					"Worker {} was unknown to the database and is registered again: it sent no heartbeat within its timeout of {}, and the jobs it had were reaped, or a crash of the server has lost its registration",
					this.worker.name(), DurationText.of(this.worker.timeout()));
		}
		this.registered = true;
		this.poller.pollNow();
		this.sharedQueues.compare(this.worker);
	}

}
