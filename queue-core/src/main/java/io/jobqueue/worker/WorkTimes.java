package io.jobqueue.worker;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

import io.jobqueue.store.Outcome.Released;
import io.jobqueue.store.Written;

/**
 * Measures claims, waits and runs for whoever listens.
 */
final class WorkTimes implements SettledListener {

	private final List<WorkListener> listeners;

	WorkTimes(List<WorkListener> listeners) {
		this.listeners = listeners;
	}

	<T> T claim(String queue, Supplier<T> claim) {
		long since = System.nanoTime();
		try {
			return claim.get();
		}
		finally {
			Duration took = Duration.ofNanos(System.nanoTime() - since);
			this.listeners.forEach((listener) -> listener.claimed(queue, took));
		}
	}

	void begins(HeldJob held) {
		Duration waited = held.waited();
		this.listeners.forEach((listener) -> listener.begins(held.job(), waited));
	}

	@Override
	public void settled(List<Settled> settled, Written written) {
		settled.forEach((each) -> ended(each, outcome(each, written)));
	}

	@Override
	public void refused(Settled settled) {
		ended(settled, RunOutcome.LOST);
	}

	private static RunOutcome outcome(Settled settled, Written written) {
		UUID job = settled.job().id();
		if (!written.jobs().contains(job)) {
			return RunOutcome.LOST;
		}
		return written.cancelled().contains(job) ? RunOutcome.CANCELLED : RunOutcome.of(settled.outcome());
	}

	private void ended(Settled settled, RunOutcome outcome) {
		Duration runTime = settled.runTime();
		if (runTime != null && !(settled.outcome() instanceof Released)) {
			this.listeners.forEach((listener) -> listener.ended(settled.job(), outcome, runTime));
		}
	}

}
