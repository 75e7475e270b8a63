package io.jobqueue.store.postgresql.schema;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if the database is not supported.
 */
@SuppressWarnings("serial")
public class UnsupportedDatabaseException extends InvalidConfigurationException {

	UnsupportedDatabaseException(String product, String supported) {
		super("The job queue does not support the database %s.".formatted(product),
				"Configure a DataSource of %s, marked with @JobQueueDataSource if there are several."
					.formatted(supported));
	}

}
