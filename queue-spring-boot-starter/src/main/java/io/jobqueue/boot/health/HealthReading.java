package io.jobqueue.boot.health;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;

import io.jobqueue.PriorityClass;
import io.jobqueue.store.MonitoringStore.WorkerCount;

/**
 * What the database knows, as of one moment.
 *
 * @param at when it was read
 * @param classes the unfinished jobs of each priority class
 * @param partial whether queues are missing there, because there are too many of them
 * @param workers how many workers are alive
 * @param paused what is paused
 * @param unserved the queues without a handler or worker
 */
record HealthReading(Instant at, Map<PriorityClass, ClassReading> classes, boolean partial, WorkerCount workers,
		Collection<String> paused, Collection<String> unserved) {
}
