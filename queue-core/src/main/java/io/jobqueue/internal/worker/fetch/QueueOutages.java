package io.jobqueue.internal.worker.fetch;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessResourceFailureException;

import io.jobqueue.internal.concurrent.Deadline;
import io.jobqueue.internal.logging.FailureLog;
import io.jobqueue.internal.store.Causes;
import io.jobqueue.internal.store.ClaimRequest;

/**
 * The queues whose jobs cannot be claimed although the database answers. Claims from such
 * a queue are retried after growing pauses; the other queues are served meanwhile. Claims
 * that fail for lack of memory, of this JVM or of the database, are retried with half the
 * jobs and bytes, down to a single job; eight full claims that succeed double the next.
 */
final class QueueOutages {

	private static final Logger logger = LoggerFactory.getLogger(QueueOutages.class);

	/**
	 * The prefixes of SQL states for a lost connection, a refused login, a missing
	 * database, too many connections and a shutdown.
	 */
	private static final List<String> STATES_OF_CONNECTIONS = List.of("08", "28", "3D", "53300", "57P");

	private static final String OUT_OF_MEMORY = "53200";

	private static final int MAX_HALVINGS = 16;

	private static final int CLAIMS_UNTIL_DOUBLED = 8;

	private final Map<String, QueueOutage> byQueue = new ConcurrentHashMap<>();

	/**
	 * The number of full claims, by queue, until claims have their full size again.
	 */
	private final Map<String, Integer> claimsUntilFullSize = new ConcurrentHashMap<>();

	/**
	 * Return whether a failure concerns all queues: the database cannot be reached or the
	 * connection was lost.
	 */
	static boolean concernsAll(Throwable failure) {
		return failure instanceof DataAccessResourceFailureException && isOfConnection(failure.getCause());
	}

	private static boolean isOfConnection(@Nullable Throwable cause) {
		if (cause instanceof SQLException sql && !(sql instanceof SQLTransientConnectionException)) {
			String state = sql.getSQLState();
			return state == null || STATES_OF_CONNECTIONS.stream().anyMatch(state::startsWith);
		}
		return true;
	}

	/**
	 * Return the time until jobs of the queue may be claimed, zero if the queue has no
	 * outage.
	 */
	Duration untilPermitted(String queue) {
		QueueOutage outage = this.byQueue.get(queue);
		return (outage != null) ? outage.next().remaining() : Duration.ZERO;
	}

	/**
	 * Note a failure.
	 * @return the time until the next claim from the queue
	 */
	Duration failed(String queue, Throwable failure) {
		QueueOutage outage = this.byQueue.computeIfAbsent(queue,
				(name) -> new QueueOutage(FailureLog.of(logger, "Claiming jobs of queue " + name), new Deadline(),
						System.nanoTime()));
		Duration pause = outage.failures().failed(failure);
		outage.next().reset(pause);
		if (Causes.of(failure).stream().anyMatch(QueueOutages::isOutOfMemory)) {
			this.claimsUntilFullSize.merge(queue, CLAIMS_UNTIL_DOUBLED,
					(claims, more) -> Math.min(claims + more, MAX_HALVINGS * CLAIMS_UNTIL_DOUBLED));
		}
		return pause;
	}

	private static boolean isOutOfMemory(Throwable cause) {
		return cause instanceof OutOfMemoryError
				|| (cause instanceof SQLException exception && OUT_OF_MEMORY.equals(exception.getSQLState()));
	}

	/**
	 * Return the part of a request that the memory is expected to suffice for.
	 */
	ClaimRequest withinMemory(ClaimRequest request) {
		int claims = this.claimsUntilFullSize.getOrDefault(request.queue(), 0);
		int halvings = (claims + CLAIMS_UNTIL_DOUBLED - 1) / CLAIMS_UNTIL_DOUBLED;
		return (claims > 0) ? request.within(Math.max(1, request.quota() >> halvings), request.bytes() >> halvings)
				: request;
	}

	/**
	 * Note a full claim; others do not show whether the memory suffices for more.
	 */
	void fullClaimSucceeded(String queue) {
		this.claimsUntilFullSize.computeIfPresent(queue, (name, claims) -> (claims > 1) ? claims - 1 : null);
	}

	void over(String queue) {
		QueueOutage outage = this.byQueue.remove(queue);
		if (outage != null) {
			outage.failures().succeeded();
		}
	}

	/**
	 * Return the time since the first failure of each queue whose claims fail. Safe for
	 * use by several threads.
	 */
	Map<String, Duration> durations() {
		return this.byQueue.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, (outage) -> outage.getValue().duration()));
	}

	private record QueueOutage(FailureLog failures, Deadline next, long since) {

		Duration duration() {
			return Duration.ofNanos(System.nanoTime() - this.since);
		}

	}

}
