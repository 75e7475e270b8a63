package io.jobqueue.worker.completion;

import java.util.List;

import io.jobqueue.signal.JobSignals;
import io.jobqueue.store.JobStore.CompletionResult;

/**
 * Publishes a wake-up for each job that recorded outcomes have made available: retries,
 * released jobs, and jobs that waited for an ended one or its key. Also publishes the
 * finished jobs that others wait for.
 */
public final class AvailableJobs implements CompletionWriter.Listener {

	private final JobSignals signals;

	/**
	 * Create a publisher of available jobs.
	 * @param signals publishes wake-ups
	 */
	public AvailableJobs(JobSignals signals) {
		this.signals = signals;
	}

	@Override
	public void recorded(List<Completion> completions, CompletionResult result) {
		this.signals.publish(result.available());
		this.signals.publishPredecessors(result.predecessors());
	}

}
