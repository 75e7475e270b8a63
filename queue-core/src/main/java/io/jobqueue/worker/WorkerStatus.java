package io.jobqueue.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.jobqueue.worker.execution.QueueExecutors;
import io.jobqueue.worker.fetch.FetchStatus;
import io.jobqueue.worker.fetch.QueueOutages;

/**
 * How a worker is doing, as far as this JVM knows without asking the database.
 *
 * @param queues the queues that it serves
 * @param stuck how many handlers do not end although their time is over, by queue
 * @param stopped the queues that take no further jobs here because of them
 * @param failing how long claims have been failing although the database answers, by
 * queue
 * @param silence how long the database has owed an answer to a worker that asks for jobs
 * @param lastPoll when the worker last scanned its whole backlog, {@code null} if it has
 * not yet; those that serve the same take turns
 */
public record WorkerStatus(Set<String> queues, Map<String, Integer> stuck, Set<String> stopped,
		Map<String, Duration> failing, Duration silence, @Nullable Instant lastPoll) {

	static final WorkerStatus IDLE = new WorkerStatus(Set.of(), Map.of(), Set.of(), Map.of(), Duration.ZERO, null);

	static WorkerStatus of(QueueExecutors executors, FetchStatus contact, QueueOutages outages) {
		return new WorkerStatus(Set.copyOf(executors.queues()), executors.stuck(), executors.halted(),
				outages.durations(), contact.silence(), contact.lastPoll());
	}

}
