package io.jobqueue.outbox;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if jobs could not join the transactions of a transaction manager.
 */
@SuppressWarnings("serial")
public class UnusableTransactionManagerException extends InvalidConfigurationException {

	UnusableTransactionManagerException(String description) {
		super(description,
				"Give the queue a transaction manager of the DataSource that holds its tables, marked with"
						+ " @JobQueueTransactionManager if there are several; or mark with @JobQueueDataSource the"
						+ " DataSource that its transaction manager is for.");
	}

}
