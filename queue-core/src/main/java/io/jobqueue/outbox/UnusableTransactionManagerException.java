package io.jobqueue.outbox;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at startup if the transactions of a transaction manager do not include the
 * writes of jobs.
 */
@SuppressWarnings("serial")
public class UnusableTransactionManagerException extends InvalidConfigurationException {

	UnusableTransactionManagerException(String description) {
		super(description,
				"Declare a transaction manager of the DataSource that holds the tables of the queue, marked with"
						+ " @JobQueueTransactionManager if there are several; or mark the DataSource of that"
						+ " transaction manager with @JobQueueDataSource.");
	}

}
