package io.jobqueue.store.postgresql.schema;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if connections to the database are read-only.
 */
@SuppressWarnings("serial")
public class ReadOnlyDatabaseException extends InvalidConfigurationException {

	ReadOnlyDatabaseException(Reason reason) {
		super("The job queue cannot write to its database: %s.".formatted(reason.description), reason.action);
	}

	/**
	 * The cause of a read-only connection.
	 */
	enum Reason {

		STANDBY("the server is a standby, or still recovers",
				"Connect to the primary server; where 'spring.datasource.url' lists several hosts, 'targetServerType=primary' finds it. An application that only reads sets 'jobqueue.enabled=false'."),

		POOL("the DataSource opens read-only connections",
				"Let it write, for example without 'spring.datasource.hikari.read-only', or mark a DataSource that writes with @JobQueueDataSource."),

		DEFAULT("'default_transaction_read_only' is on",
				"Switch it off for the application's database user (ALTER ROLE … SET default_transaction_read_only = off), or connect as another one.");

		private final String description;

		private final String action;

		Reason(String description, String action) {
			this.description = description;
			this.action = action;
		}

	}

}
