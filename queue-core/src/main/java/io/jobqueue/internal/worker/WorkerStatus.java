package io.jobqueue.internal.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The status of a worker, as known in this JVM without a query.
 *
 * @param queues the names of the queues with an executor
 * @param stuck the number of handlers that did not end after their maximum run time, by
 * queue
 * @param stopped the queues that take no further jobs on this node because too many
 * handlers are stuck
 * @param failing the time since the first failed claim of each queue whose claims fail
 * although the database answers
 * @param silence the time since the first unanswered claim or poll, zero if all are
 * answered
 * @param lastPoll the time of the last poll, {@code null} before the first; idle workers
 * that serve the same take turns at polling
 */
public record WorkerStatus(Set<String> queues, Map<String, Integer> stuck, Set<String> stopped,
		Map<String, Duration> failing, Duration silence, @Nullable Instant lastPoll) {

	static final WorkerStatus IDLE = new WorkerStatus(Set.of(), Map.of(), Set.of(), Map.of(), Duration.ZERO, null);

}
