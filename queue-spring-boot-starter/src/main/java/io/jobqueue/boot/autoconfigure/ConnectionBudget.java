package io.jobqueue.boot.autoconfigure;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.jobqueue.Delivery;
import io.jobqueue.context.LogText;
import io.jobqueue.handler.JobHandlers;
import io.jobqueue.worker.QueueSettings;

/**
 * Divides the connections of the pool among the queues with transactional handlers, each
 * of which holds one while it runs. One connection stays for the queue's own statements.
 */
final class ConnectionBudget {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionBudget.class);

	private final OptionalInt poolSize;

	private final JobHandlers handlers;

	private final @Nullable Set<String> served;

	private final Function<String, QueueSettings> wanted;

	private final Map<String, QueueSettings> granted = new ConcurrentHashMap<>();

	/**
	 * Create a budget.
	 * @param poolSize the number of connections, if that is known
	 * @param handlers the handlers
	 * @param served the queues that this node serves, {@code null} for every one with a
	 * handler
	 * @param wanted the settings of each queue
	 */
	ConnectionBudget(OptionalInt poolSize, JobHandlers handlers, @Nullable Set<String> served,
			Function<String, QueueSettings> wanted) {
		this.poolSize = poolSize;
		this.handlers = handlers;
		this.served = served;
		this.wanted = wanted;
	}

	/**
	 * Return the settings of a queue, its concurrency within the budget.
	 */
	QueueSettings settings(String queue) {
		QueueSettings settings = this.granted.get(queue);
		return (settings != null) ? settings : this.granted.computeIfAbsent(queue, this::grant);
	}

	private QueueSettings grant(String queue) {
		QueueSettings settings = this.wanted.apply(queue);
		if (this.poolSize.isEmpty() || !holdsConnections(queue)) {
			return settings;
		}
		int share = share(this.poolSize.getAsInt());
		if (share >= settings.concurrency()) {
			return settings;
		}
		logger.info(
				"Queue {} has {} at a time instead of {}: its transactional handlers hold a connection each, and the pool has {}",
				queue, LogText.counted(share, "handler"), settings.concurrency(), this.poolSize.getAsInt());
		return settings.withConcurrency(share);
	}

	private int share(int connections) {
		long queues = this.handlers.typesByQueue()
			.keySet()
			.stream()
			.filter((queue) -> this.served == null || this.served.contains(queue))
			.filter(this::holdsConnections)
			.count();
		int share = (int) ((connections - 1) / queues);
		if (share == 0) {
			throw new InvalidSettingException(
					"The connection pool has a size of %d, but transactional handlers of %s hold a connection each while the queue needs one too."
						.formatted(connections, LogText.counted(queues, "queue")),
					"Give the pool at least %d connections.".formatted(queues + 1));
		}
		return share;
	}

	private boolean holdsConnections(String queue) {
		return this.wanted.apply(queue).concurrency() > 0
				&& !this.handlers.types(queue, Delivery.TRANSACTIONAL).isEmpty();
	}

}
