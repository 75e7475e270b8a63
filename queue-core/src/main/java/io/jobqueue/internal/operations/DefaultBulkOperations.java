package io.jobqueue.internal.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.jobqueue.BulkOperations;
import io.jobqueue.JobQuery;
import io.jobqueue.Priority;
import io.jobqueue.internal.operations.BulkSteps.Position;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OutsideTransaction;
import io.jobqueue.internal.store.SearchStore;

/**
 * Changes all jobs that a query finds, by all steps of {@link BulkSteps}. Each step has
 * transactions of its own: an operation that fails leaves the steps before it changed.
 */
final class DefaultBulkOperations implements BulkOperations {

	private static final Duration SEARCH_TIME = Duration.ofSeconds(5);

	/**
	 * Each locked job is isolated, however long that takes.
	 */
	private static final Duration LOCK_TIME = Duration.ofDays(1);

	private final BulkSteps steps;

	private final SearchStore search;

	private final OutsideTransaction outside;

	private final AuditLog log;

	DefaultBulkOperations(OperationServices services, AuditLog log) {
		this.steps = new BulkSteps(services);
		this.search = services.search();
		this.outside = new OutsideTransaction(services.transactionManager());
		this.log = log;
	}

	@Override
	public long retry(JobQuery query) {
		return change(BulkChange.retry(query));
	}

	@Override
	public long cancel(JobQuery query) {
		return change(BulkChange.cancel(query));
	}

	@Override
	public long delete(JobQuery query) {
		return change(BulkChange.delete(query));
	}

	long clear(String queue) {
		return change(BulkChange.clear(queue));
	}

	@Override
	public long reschedule(JobQuery query, Instant runAt) {
		return change(BulkChange.reschedule(query, runAt));
	}

	@Override
	public long reprioritise(JobQuery query, Priority priority) {
		return change(BulkChange.reprioritise(query, priority));
	}

	@Override
	public long replay(JobQuery query) {
		return change(BulkChange.replay(query));
	}

	/**
	 * @return the number of all changed jobs
	 */
	private long change(BulkChange bulk) {
		if (!bulk.isPossible()) {
			return 0;
		}
		LoggedOperation operation = this.log.operation(bulk.operation(), bulk.subject());
		AtomicLong affected = new AtomicLong();
		try {
			this.outside.run(() -> {
				@Nullable Position position = new Position(operation.id(), this.search.now(), 0, null);
				while (position != null) {
					this.steps.begin(operation, position);
					position = this.steps.change(bulk, operation, position, SEARCH_TIME, LOCK_TIME, affected::addAndGet)
						.next();
				}
			});
			return affected.get();
		}
		finally {
			this.log.done(operation, affected.get());
		}
	}

}
