package io.jobqueue.boot.autoconfigure;

import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;

import io.jobqueue.Delivery;
import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.policy.QueueSettings;

/**
 * Checks that transactions can be shared where a queue with transactional handlers is to
 * share them. Those of JPA cannot: what a failed job has changed in entities would be
 * written with the next job, although its own statements were rolled back to a savepoint.
 * Nor can those of a manager that permits no savepoints: none would begin.
 */
final class SharedTransactionCheck {

	private final PlatformTransactionManager manager;

	private final JobHandlers handlers;

	private final @Nullable Set<String> served;

	private final Function<String, QueueSettings> queues;

	/**
	 * Create a check.
	 * @param manager the transaction manager of transactional handlers
	 * @param handlers the handlers
	 * @param served the queues that this node serves, {@code null} for every one with a
	 * handler
	 * @param queues the settings of each queue
	 */
	SharedTransactionCheck(PlatformTransactionManager manager, JobHandlers handlers, @Nullable Set<String> served,
			Function<String, QueueSettings> queues) {
		this.manager = manager;
		this.handlers = handlers;
		this.served = served;
		this.queues = queues;
	}

	void check() {
		if (!(this.manager instanceof DataSourceTransactionManager jdbc)) {
			requireSingle(
					"jobs cannot share transactions of %s: entities that a failed job has changed would be written with the next one. Its property 'nestedTransactionAllowed' does not prevent that",
					"mark a JdbcTransactionManager of the same DataSource with @JobQueueTransactionManager");
		}
		else if (!jdbc.isNestedTransactionAllowed()) {
			requireSingle(
					"%s permits no savepoints, which separate the jobs in a transaction: its property 'nestedTransactionAllowed' is false",
					"'nestedTransactionAllowed' of the transaction manager to true");
		}
	}

	private void requireSingle(String reason, String remedy) {
		this.handlers.typesByQueue()
			.keySet()
			.stream()
			.filter((queue) -> this.served == null || this.served.contains(queue))
			.filter((queue) -> !this.handlers.types(queue, Delivery.TRANSACTIONAL).isEmpty())
			.forEach((queue) -> requireSingle(queue, reason, remedy));
	}

	private void requireSingle(String queue, String reason, String remedy) {
		int size = this.queues.apply(queue).transactions().size();
		if (size > 1) {
			throw new InvalidConfigurationException(
					"The transaction-size of queue %s is %s, but %s.".formatted(queue, size,
							reason.formatted(ClassUtils.getUserClass(this.manager).getSimpleName())),
					"Set 'jobqueue.queues.%s.transaction-size' to 1, or %s.".formatted(queue, remedy));
		}
	}

}
