package io.jobqueue.internal.outbox;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobRejectedException;
import io.jobqueue.internal.store.BoundTransactions;
import io.jobqueue.internal.store.BoundTransactions.BoundTransaction;

/**
 * Runs code in the caller's transaction. Without one, or after its commit or rollback,
 * the code runs in a new transaction, or is rejected if a transaction is required.
 */
public final class CallerTransaction {

	private static final Logger logger = LoggerFactory.getLogger(CallerTransaction.class);

	private static final String OTHER = "another transaction manager than that of the job queue: name the latter in @Transactional";

	private static final String MOVED = BoundTransactions.MOVED
			+ ": what is written now would not be part of it. Roll back, and run the transaction again";

	private final BoundTransactions bound;

	private final AtomicBoolean warned = new AtomicBoolean();

	private final TransactionTemplate template;

	private final TransactionTemplate independent;

	/**
	 * Create a caller transaction, and register a listener with the manager if it is a
	 * {@link ConfigurableTransactionManager}, as all of Spring's are. With other
	 * managers, a job that is enqueued in a callback after the end of a transaction joins
	 * that transaction.
	 * @param transactionManager the manager of the callers' transactions
	 * @param bound the transactions on the data source of the queue
	 * @param required whether to reject callers without a transaction
	 */
	public CallerTransaction(PlatformTransactionManager transactionManager, BoundTransactions bound, boolean required) {
		this.bound = bound;
		this.template = new TransactionTemplate(transactionManager);
		this.template.setPropagationBehavior(
				required ? TransactionDefinition.PROPAGATION_MANDATORY : TransactionDefinition.PROPAGATION_REQUIRED);
		this.independent = new TransactionTemplate(transactionManager);
		this.independent.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		if (transactionManager instanceof ConfigurableTransactionManager configurable) {
			configurable.addListener(this.bound);
		}
	}

	/**
	 * Run code in the transaction.
	 * @throws JobRejectedException if the transaction is read-only or began on a data
	 * source that was replaced since, or a required one is missing, belongs to another
	 * manager or has completed
	 */
	<T> T call(Supplier<T> work) {
		return within(work, (failure) -> !(failure instanceof JobRejectedException));
	}

	/**
	 * Run code in a transaction of its own, whether one is required or not.
	 */
	<T> T callAlone(Supplier<T> work) {
		return Objects.requireNonNull(this.independent.execute((status) -> work.get()));
	}

	/**
	 * Run code that may write in the transaction. If it throws after a write, the
	 * transaction is marked rollback-only; without a write, the caller's transaction
	 * remains usable.
	 * @param work the code
	 * @param written returns whether the code has written
	 * @param <T> the type of the result
	 * @return the result of the code
	 */
	public <T> T callAround(Supplier<T> work, BooleanSupplier written) {
		return within(work, (failure) -> written.getAsBoolean());
	}

	/**
	 * Run a task after the commit. Must be called within the transaction.
	 * @param task the task
	 */
	public void afterCommit(Runnable task) {
		AfterCommit synchronization = new AfterCommit(task);
		BoundTransaction current = this.bound.current();
		if (current != null) {
			current.register(synchronization);
		}
		else {
			TransactionSynchronizationManager.registerSynchronization(synchronization);
		}
	}

	private <T> T within(Supplier<T> work, Predicate<Throwable> rollsBack) {
		BoundTransaction current = this.bound.current();
		return ((current != null && current.isOver()) ? independently(work, rollsBack) : joining(work, rollsBack))
			.get();
	}

	private <T> Supplier<T> independently(Supplier<T> work, Predicate<Throwable> rollsBack) {
		if (isRequired()) {
			throw new JobRejectedException("transaction",
					"has completed: enqueue before its commit, start a new one (REQUIRES_NEW),"
							+ " or set jobqueue.producer.require-transaction to false");
		}
		AtomicBoolean began = new AtomicBoolean();
		try {
			return Objects.requireNonNull(this.independent.execute((status) -> {
				began.set(true);
				return attempt(work, status, rollsBack);
			}));
		}
		catch (CannotCreateTransactionException ex) {
			if (began.get()) {
				throw ex;
			}
			throw new JobRejectedException("transaction",
					"has completed, and no new one could start while it holds its connection:"
							+ " enqueue before its commit, or enlarge the connection pool",
					ex);
		}
	}

	private <T> Supplier<T> joining(Supplier<T> work, Predicate<Throwable> rollsBack) {
		boolean other = isInOther();
		try {
			return Objects.requireNonNull(this.template.execute((status) -> {
				warnOfOther(other && status.isNewTransaction());
				return attempt(() -> {
					requireWritable(status);
					return work.get();
				}, status, rollsBack);
			}));
		}
		catch (IllegalTransactionStateException ex) {
			if (!isRequired()) {
				throw ex;
			}
			throw new JobRejectedException("transaction",
					this.bound.isMoved() ? MOVED : "%s, or set jobqueue.producer.require-transaction to false"
						.formatted(other ? "belongs to " + OTHER : "is missing: start one"),
					ex);
		}
	}

	/**
	 * Return whether the caller is in a transaction of another manager. Its callbacks
	 * after completion are not in it any more, as its synchronization has ended. Those
	 * after commit count as in it, since the synchronization is still active.
	 */
	private boolean isInOther() {
		return this.bound.current() == null && TransactionSynchronizationManager.isActualTransactionActive()
				&& TransactionSynchronizationManager.isSynchronizationActive();
	}

	private void warnOfOther(boolean other) {
		if (other && this.warned.compareAndSet(false, true)) {
			logger.warn(
					"A job is enqueued in a transaction that belongs to {}. The job is committed on its own, and stays if that transaction rolls back. This line is logged once",
					OTHER);
		}
	}

	/**
	 * Return a supplier that throws what the code has thrown: thrown here, it would mark
	 * the caller's transaction rollback-only. In a new transaction it is thrown here, so
	 * that it is logged and attached to the exception of a rollback that fails.
	 */
	private static <T> Supplier<T> attempt(Supplier<T> work, TransactionStatus status, Predicate<Throwable> rollsBack) {
		try {
			T result = work.get();
			return () -> result;
		}
		catch (RuntimeException | Error ex) {
			if (status.isNewTransaction()) {
				throw ex;
			}
			if (rollsBack.test(ex)) {
				status.setRollbackOnly();
			}
			return () -> {
				throw ex;
			};
		}
	}

	/**
	 * A transaction that is new because the caller's one was not found is checked as
	 * well.
	 */
	private void requireWritable(TransactionStatus status) {
		if (this.bound.isMoved()) {
			throw new JobRejectedException("transaction", MOVED);
		}
		if (isReadOnly(status)) {
			throw new JobRejectedException("transaction",
					"is read-only: enqueue in a read-write transaction, or remove readOnly = true");
		}
	}

	/**
	 * The read-only flag of the thread belongs to the transaction that began last, which
	 * may be one of another manager.
	 */
	private boolean isReadOnly(TransactionStatus status) {
		if (status.isNewTransaction()) {
			return false;
		}
		BoundTransaction joined = this.bound.current();
		return (joined != null) ? joined.isReadOnly()
				: TransactionSynchronizationManager.isCurrentTransactionReadOnly();
	}

	private boolean isRequired() {
		return this.template.getPropagationBehavior() == TransactionDefinition.PROPAGATION_MANDATORY;
	}

}
