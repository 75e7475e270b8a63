package io.jobqueue.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.BooleanSupplier;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.ClassUtils;

import io.jobqueue.JobQueueException;

/**
 * Finds out, by beginning one, whether the transactions of a manager carry what is
 * written through a data source. Where they do not, jobs would stay when the caller rolls
 * back.
 */
public final class TransactionManagerCheck {

	private final PlatformTransactionManager transactionManager;

	private final DataSource dataSource;

	private TransactionManagerCheck(PlatformTransactionManager transactionManager, DataSource dataSource) {
		this.transactionManager = transactionManager;
		this.dataSource = target(dataSource);
	}

	/**
	 * Check a transaction manager.
	 * @param transactionManager the manager of the callers' transactions
	 * @param dataSource the data source that jobs are written through
	 * @throws UnusableTransactionManagerException if they do not belong together
	 */
	public static void check(PlatformTransactionManager transactionManager, DataSource dataSource) {
		new TransactionManagerCheck(transactionManager, dataSource).check();
	}

	/**
	 * Such a proxy joins the transactions of its target.
	 */
	private static DataSource target(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	private void check() {
		boolean carries = inTransaction(this::isBound) || isAutoCommitSwitchedOff();
		if (!carries) {
			throw new UnusableTransactionManagerException(
					"The transactions of %s do not carry what is written through %s: a job would stay when its caller rolls back."
						.formatted(describe(this.transactionManager), this.dataSource));
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

	private boolean isBound() {
		return TransactionSynchronizationManager.hasResource(this.dataSource);
	}

	/**
	 * What a transaction of JTA does to the connections that it enlists.
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

	private static String describe(PlatformTransactionManager transactionManager) {
		String name = ClassUtils.getUserClass(transactionManager).getSimpleName();
		return (transactionManager instanceof ResourceTransactionManager manager
				&& manager.getResourceFactory() instanceof DataSource other) ? "the %s of %s".formatted(name, other)
						: "the " + name;
	}

}
