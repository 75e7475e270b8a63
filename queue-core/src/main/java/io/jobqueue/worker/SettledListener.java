package io.jobqueue.worker;

import java.util.List;

import io.jobqueue.store.Written;

/**
 * Hears what became of outcomes. It must be quick and must not throw: the next ones wait
 * for it.
 */
@FunctionalInterface
interface SettledListener {

	/**
	 * Called after outcomes were written.
	 * @param settled the outcomes that were to be written
	 * @param written what was written of them
	 */
	void settled(List<Settled> settled, Written written);

	/**
	 * Called when the database will never take an outcome: its job is left to the reaper.
	 * @param settled the outcome
	 */
	default void refused(Settled settled) {
	}

}
