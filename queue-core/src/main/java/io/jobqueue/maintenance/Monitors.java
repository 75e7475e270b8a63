package io.jobqueue.maintenance;

/**
 * What warns people of things that no single job shows.
 *
 * @param unserved warns of queues that nobody serves
 * @param sizes warns of queues that grow
 * @param snapshots warns of snapshots that are held
 */
public record Monitors(UnservedQueues unserved, SizeMonitor sizes, SnapshotMonitor snapshots) {
}
