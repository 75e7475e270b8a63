package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import io.jobqueue.Delivery;
import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.boot.properties.QueueProperties;
import io.jobqueue.internal.boot.settings.Setting;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.logging.DurationText;
import io.jobqueue.internal.logging.LogText;
import io.jobqueue.internal.policy.QueueSettings;
import io.jobqueue.internal.store.postgresql.schema.TransactionTimeouts;

/**
 * Divides a share of the pool's connections among the queues with transactional handlers,
 * each of which holds one while it runs. The rest, at least one connection, remains for
 * the application and the statements of the queue.
 */
final class ConnectionBudget {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionBudget.class);

	private static final String SHARE = "jobqueue.worker.transactional-share";

	private static final int DEFAULT = Objects.requireNonNull(QueueProperties.DEFAULT.concurrency());

	private final OptionalInt poolSize;

	private final double transactionalShare;

	private final TransactionTimeouts timeouts;

	private final JobHandlers handlers;

	private final @Nullable Set<String> served;

	private final Function<String, QueueSettings> wanted;

	private final Map<String, QueueSettings> granted = new ConcurrentHashMap<>();

	/**
	 * Create a budget.
	 * @param poolSize the number of connections, empty if it is unknown
	 * @param transactionalShare the share of them that transactional handlers may hold,
	 * above 0 and up to 1
	 * @param timeouts the timeouts of the server
	 * @param handlers the handlers
	 * @param served the queues that this node serves, {@code null} for every one with a
	 * handler
	 * @param wanted the settings of each queue
	 */
	ConnectionBudget(OptionalInt poolSize, double transactionalShare, TransactionTimeouts timeouts,
			JobHandlers handlers, @Nullable Set<String> served, Function<String, QueueSettings> wanted) {
		Setting.check(transactionalShare > 0 && transactionalShare <= 1, SHARE, transactionalShare,
				"Set a share above 0 and up to 1.");
		this.poolSize = poolSize;
		this.transactionalShare = transactionalShare;
		this.timeouts = timeouts;
		this.handlers = handlers;
		this.served = served;
		this.wanted = wanted;
	}

	/**
	 * Check that the pool has a connection for each queue with transactional handlers,
	 * and another one.
	 */
	void check() {
		this.poolSize.ifPresent((connections) -> check(connections, transactionalQueues()));
	}

	/**
	 * Return the settings of a queue, its concurrency within the budget. A queue that
	 * this node does not serve has those that it was given.
	 */
	QueueSettings settings(String queue) {
		QueueSettings settings = this.granted.get(queue);
		return (settings != null) ? settings : this.granted.computeIfAbsent(queue, this::grant);
	}

	private QueueSettings grant(String queue) {
		QueueSettings settings = this.wanted.apply(queue);
		if (!holdsConnections(queue)) {
			return settings;
		}
		this.timeouts.values().forEach((name, value) -> warnOfShort(name, value, queue, settings.maxRunTime()));
		return this.poolSize.isEmpty() ? settings : grant(queue, settings);
	}

	private QueueSettings grant(String queue, QueueSettings settings) {
		int share = share(this.poolSize.getAsInt());
		if (share >= settings.concurrency()) {
			return settings;
		}
		logger.atLevel((settings.concurrency() != DEFAULT) ? Level.WARN : Level.INFO)
			.log("Queue {} runs {} at a time instead of {}: each transactional handler holds a connection, and {} limits them to a share of {} of the pool's {}. Lower 'jobqueue.queues.{}.concurrency', enlarge the pool, raise the share, or give other handlers a queue of their own",
					queue, LogText.counted(share, "handler"), settings.concurrency(), SHARE, this.transactionalShare,
					LogText.counted(this.poolSize.getAsInt(), "connection"), queue);
		return settings.withConcurrency(share);
	}

	private static void warnOfShort(String timeout, Duration value, String queue, Duration maxRunTime) {
		if (value.compareTo(maxRunTime) < 0) {
			logger.warn(
					"Transactional handlers of queue {} may run for {} (max-run-time), but the server's {} of {} can end their transactions earlier: those attempts fail. Raise it for the database user of this application, or lower 'jobqueue.queues.{}.max-run-time'",
					queue, DurationText.of(maxRunTime), timeout, DurationText.of(value), queue);
		}
	}

	/**
	 * Each queue gets at least one handler, even if that exceeds the share.
	 */
	private int share(int connections) {
		int queues = transactionalQueues();
		check(connections, queues);
		int shared = Math.min(connections - 1, (int) (connections * this.transactionalShare));
		return Math.max(1, shared / queues);
	}

	private static void check(int connections, int queues) {
		if (queues > 0 && queues > connections - 1) {
			throw new InvalidConfigurationException(
					"The connection pool has a size of %s, but transactional handlers of %s hold a connection each, and the queue needs another one."
						.formatted(connections, LogText.counted(queues, "queue")),
					"Set the size of the pool to at least %s connections.".formatted(queues + 1));
		}
	}

	private int transactionalQueues() {
		return (int) this.handlers.typesByQueue().keySet().stream().filter(this::holdsConnections).count();
	}

	private boolean holdsConnections(String queue) {
		return (this.served == null || this.served.contains(queue)) && this.wanted.apply(queue).concurrency() > 0
				&& !this.handlers.types(queue, Delivery.TRANSACTIONAL).isEmpty();
	}

}
