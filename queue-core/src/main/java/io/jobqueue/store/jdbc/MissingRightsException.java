package io.jobqueue.store.jdbc;

import java.sql.SQLException;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if the tables are to be migrated by somebody who may not do it.
 */
@SuppressWarnings("serial")
public class MissingRightsException extends InvalidConfigurationException {

	MissingRightsException(SQLException denial, Throwable cause) {
		super("The job queue lacks the rights to migrate its tables: %s.".formatted(denial.getMessage()),
				"Let a user who may create tables start it, or apply the migrations yourself, set 'jobqueue.jdbc.migrate=false' and grant what docs/database.md lists under Rights.",
				cause);
	}

}
