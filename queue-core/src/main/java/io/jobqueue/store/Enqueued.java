package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

import io.jobqueue.JobReceipt;

/**
 * What became of jobs that were to be written.
 *
 * @param jobs what became of each, in their order
 * @param arrivals the first that waits now in each tier
 */
public record Enqueued(List<EnqueuedJob> jobs, Collection<Arrival> arrivals) {

	/**
	 * Return what the caller is told of each, in their order.
	 * @return the receipts
	 */
	public List<JobReceipt> receipts() {
		return this.jobs.stream().map(EnqueuedJob::receipt).toList();
	}

}
