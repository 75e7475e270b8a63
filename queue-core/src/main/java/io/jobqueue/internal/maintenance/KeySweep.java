package io.jobqueue.internal.maintenance;

import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.signal.JobSignals;
import io.jobqueue.internal.store.MaintenanceStore;
import io.jobqueue.internal.store.MaintenanceStore.KeyPass;
import io.jobqueue.internal.store.MaintenanceStore.KeyPosition;

/**
 * Releases jobs that wait for an ordering or limit key that is free. A job that ends
 * releases its keys, but its worker may stop before that, and SQL statements of the
 * application that delete or change jobs do not release keys.
 */
final class KeySweep {

	private static final int STEP = 1_000;

	private final MaintenanceStore store;

	private final JobSignals signals;

	private @Nullable KeyPosition lastTurn;

	private @Nullable KeyPosition lastSlot;

	KeySweep(MaintenanceStore store, JobSignals signals) {
		this.store = store;
		this.signals = signals;
	}

	/**
	 * Sweep the next {@value #STEP} keys of each kind, or all keys.
	 */
	void run(boolean all) {
		this.lastTurn = run(this.store::sweepTurns, this.lastTurn, all);
		this.lastSlot = run(this.store::sweepSlots, this.lastSlot, all);
	}

	private @Nullable KeyPosition run(BiFunction<@Nullable KeyPosition, Integer, KeyPass> sweep,
			@Nullable KeyPosition from, boolean all) {
		KeyPosition last = all ? null : from;
		do {
			KeyPass pass = sweep.apply(last, STEP);
			this.signals.publish(pass.reconsidered());
			last = pass.last();
		}
		while (all && last != null && !Thread.currentThread().isInterrupted());
		return last;
	}

}
