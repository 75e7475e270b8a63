package io.jobqueue.outbox;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at startup if the transactions of a transaction manager do not include the
 * writes of jobs, or do not call synchronizations.
 */
@SuppressWarnings("serial")
public class UnusableTransactionManagerException extends InvalidConfigurationException {

	private UnusableTransactionManagerException(String description, String action) {
		super(description, action);
	}

	static UnusableTransactionManagerException ofOtherDataSource(String manager, String dataSource) {
		return new UnusableTransactionManagerException(
				"The transactions of %s do not include writes through %s: a job would stay when its caller rolls back."
					.formatted(manager, dataSource),
				"Declare a transaction manager of the DataSource that holds the tables of the queue, marked with"
						+ " @JobQueueTransactionManager if there are several; or mark the DataSource of that"
						+ " transaction manager with @JobQueueDataSource.");
	}

	static UnusableTransactionManagerException withoutSynchronizations(String manager) {
		return new UnusableTransactionManagerException(
				"The transactions of %s have no synchronizations: jobs could not be enqueued in them, and transactional handlers could not complete their jobs."
					.formatted(manager),
				"Remove 'setTransactionSynchronization(SYNCHRONIZATION_NEVER)' from the declaration of the transaction"
						+ " manager, or mark another one with @JobQueueTransactionManager.");
	}

}
