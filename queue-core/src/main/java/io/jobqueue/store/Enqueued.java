package io.jobqueue.store;

import java.util.Collection;
import java.util.List;

import io.jobqueue.JobReceipt;

/**
 * What became of jobs that were to be written.
 *
 * @param receipts what became of each, in their order
 * @param arrivals the first that waits now in each tier
 */
public record Enqueued(List<JobReceipt> receipts, Collection<Arrival> arrivals) {
}
