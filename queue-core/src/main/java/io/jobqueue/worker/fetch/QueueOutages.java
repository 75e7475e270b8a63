package io.jobqueue.worker.fetch;

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

import io.jobqueue.concurrent.Deadline;
import io.jobqueue.logging.FailureLog;

/**
 * Queues whose jobs cannot be claimed although the database answers. Each of them is
 * tried again after pauses of its own; the other queues are served meanwhile.
 */
public final class QueueOutages {

	private static final Logger logger = LoggerFactory.getLogger(QueueOutages.class);

	/**
	 * The SQL states of no connection, too many of them, a refused login, a missing
	 * database and a shutdown.
	 */
	private static final List<String> STATES_OF_CONNECTIONS = List.of("08", "28", "3D", "53300", "57P");

	private final Map<String, QueueOutage> byQueue = new ConcurrentHashMap<>();

	/**
	 * Return whether a failure concerns all queues: there is no connection, or it ended.
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
	 * Return how long until jobs of the queue may be claimed.
	 */
	Duration untilPermitted(String queue) {
		QueueOutage outage = this.byQueue.get(queue);
		return (outage != null) ? outage.next().remaining() : Duration.ZERO;
	}

	/**
	 * Note a failure.
	 * @return how long until the queue is tried again
	 */
	Duration failed(String queue, Throwable failure) {
		QueueOutage outage = this.byQueue.computeIfAbsent(queue,
				(name) -> new QueueOutage(FailureLog.of(logger, "Claiming jobs of queue " + name), new Deadline(),
						System.nanoTime()));
		Duration pause = outage.failures().failed(failure);
		outage.next().reset(pause);
		return pause;
	}

	void over(String queue) {
		QueueOutage outage = this.byQueue.remove(queue);
		if (outage != null) {
			outage.failures().succeeded();
		}
	}

	/**
	 * Return how long claims have been failing, by queue. It is safe for use by any
	 * thread.
	 * @return the times by queue, without queues whose claims succeed
	 */
	public Map<String, Duration> durations() {
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
