package io.jobqueue.store.postgresql.schema;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if the database, or a setting of its driver, is not supported.
 */
@SuppressWarnings("serial")
public class UnsupportedDatabaseException extends InvalidConfigurationException {

	UnsupportedDatabaseException(String product, String supported) {
		super("The job queue does not support the database %s.".formatted(product),
				"Configure a DataSource of %s, marked with @JobQueueDataSource if there are several."
					.formatted(supported));
	}

	/**
	 * With such a threshold, the driver fails where a text has several statements.
	 */
	UnsupportedDatabaseException(int prepareThreshold) {
		super("The job queue cannot use connections with 'prepareThreshold=%d'.".formatted(prepareThreshold),
				"Set it to 0 or above in the JDBC URL, or remove it; or mark a DataSource without it with @JobQueueDataSource.");
	}

}
