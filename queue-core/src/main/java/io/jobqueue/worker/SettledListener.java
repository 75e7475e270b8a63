package io.jobqueue.worker;

import java.util.List;

import io.jobqueue.store.JobStore.CompletionResult;

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
	void settled(List<Settled> settled, CompletionResult written);

	/**
	 * Called when an outcome will not be written: the database refuses it, or the worker
	 * stops before. Its job is left to the reaper.
	 * @param settled the outcome
	 */
	default void lost(Settled settled) {
	}

}
