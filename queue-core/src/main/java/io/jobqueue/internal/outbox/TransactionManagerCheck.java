package io.jobqueue.internal.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobQueueException;

/**
 * Checks whether the transactions of a manager include writes through a data source, by
 * beginning a transaction. If they do not, jobs would remain after a rollback of their
 * caller. Also checks that the transactions call synchronizations: they complete the jobs
 * of transactional handlers, and send wake-ups after the commit.
 */
public final class TransactionManagerCheck {

	private final PlatformTransactionManager transactionManager;

	private final DataSource dataSource;

	private final Function<DataSource, String> names;

	private TransactionManagerCheck(PlatformTransactionManager transactionManager, DataSource dataSource,
			Function<DataSource, String> names) {
		this.transactionManager = transactionManager;
		this.dataSource = target(dataSource);
		this.names = names;
	}

	/**
	 * Check a transaction manager.
	 * @param transactionManager the manager of the callers' transactions
	 * @param dataSource the data source that jobs are written through
	 * @param names names data sources in messages
	 * @throws InvalidConfigurationException if the transactions do not include writes
	 * through the data source, or do not call synchronizations
	 */
	public static void check(PlatformTransactionManager transactionManager, DataSource dataSource,
			Function<DataSource, String> names) {
		new TransactionManagerCheck(transactionManager, dataSource, names).check();
	}

	/**
	 * A {@link TransactionAwareDataSourceProxy} joins the transactions of its target.
	 */
	private static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	private void check() {
		boolean carries = inTransaction(this::isSynchronizedAndBound) || isAutoCommitSwitchedOff();
		if (!carries) {
			throw new InvalidConfigurationException(
					"The transactions of %s do not include writes through %s: a job would stay when its caller rolls back."
						.formatted(describe(this.transactionManager), this.names.apply(this.dataSource)),
					"Declare a transaction manager of the DataSource that holds the tables of the queue, marked with"
							+ " @JobQueueTransactionManager if there are several; or mark the DataSource of that"
							+ " transaction manager with @JobQueueDataSource.");
		}
	}

	private boolean inTransaction(BooleanSupplier question) {
		TransactionTemplate template = new TransactionTemplate(this.transactionManager);
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return Boolean.TRUE.equals(template.execute((status) -> {
			status.setRollbackOnly();
			return question.getAsBoolean();
		}));
	}

	private boolean isSynchronizedAndBound() {
		if (!TransactionSynchronizationManager.isSynchronizationActive()) {
			throw new InvalidConfigurationException(
					"The transactions of %s have no synchronizations: jobs could not be enqueued in them, and transactional handlers could not complete their jobs."
						.formatted(describe(this.transactionManager)),
					"Remove 'setTransactionSynchronization(SYNCHRONIZATION_NEVER)' from the declaration of the transaction"
							+ " manager, or mark another one with @JobQueueTransactionManager.");
		}
		return TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * A JTA transaction switches auto-commit off on the connections that it enlists.
	 */
	private boolean isAutoCommitSwitchedOff() {
		return inTransaction(() -> !isAutoCommit()) && isAutoCommit();
	}

	private boolean isAutoCommit() {
		try (Connection connection = this.dataSource.getConnection()) {
			return connection.getAutoCommit();
		}
		catch (SQLException ex) {
			throw new JobQueueException("The job queue cannot reach its database: " + ex.getMessage(), ex);
		}
	}

	private String describe(PlatformTransactionManager transactionManager) {
		String name = ClassUtils.getUserClass(transactionManager).getSimpleName();
		return (transactionManager instanceof ResourceTransactionManager manager
				&& manager.getResourceFactory() instanceof DataSource other)
						? "the %s of %s".formatted(name, this.names.apply(other)) : "the " + name;
	}

}
