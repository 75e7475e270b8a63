package io.jobqueue.maintenance;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.KeyPass;
import io.jobqueue.store.KeyPlace;
import io.jobqueue.store.MaintenanceStore;

/**
 * Finds jobs that wait for their ordering or limit key although nobody has it. A job that
 * ends hands its keys over; but its worker may not come to do so, and whoever deletes or
 * changes a job by other means does not.
 */
final class KeySweep {

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	private final JobSignals signals;

	private @Nullable KeyPlace lastTurn;

	private @Nullable KeyPlace lastSlot;

	KeySweep(MaintenanceStore store, JobSignals signals) {
		this.store = store;
		this.signals = signals;
	}

	/**
	 * Look at some keys, and at others the next time.
	 */
	void step() {
		this.lastTurn = step(this.store::sweepTurns, this.lastTurn);
		this.lastSlot = step(this.store::sweepSlots, this.lastSlot);
	}

	/**
	 * Look at all keys.
	 */
	void run() {
		this.lastTurn = run(this.store::sweepTurns);
		this.lastSlot = run(this.store::sweepSlots);
	}

	private @Nullable KeyPlace run(BiFunction<@Nullable KeyPlace, Integer, KeyPass> sweep) {
		KeyPlace last = null;
		do {
			last = step(sweep, last);
		}
		while (last != null && !Thread.currentThread().isInterrupted());
		return last;
	}

	private @Nullable KeyPlace step(BiFunction<@Nullable KeyPlace, Integer, KeyPass> sweep, @Nullable KeyPlace last) {
		KeyPass pass = sweep.apply(last, STEP);
		this.signals.publish(pass.nominated());
		return pass.last();
	}

}
