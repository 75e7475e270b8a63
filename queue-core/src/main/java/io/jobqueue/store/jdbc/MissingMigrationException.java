package io.jobqueue.store.jdbc;

import java.util.List;

import io.jobqueue.JobQueueException;

/**
 * Thrown at start if the tables lack a migration and may not be migrated.
 */
@SuppressWarnings("serial")
public class MissingMigrationException extends JobQueueException {

	MissingMigrationException(List<String> missing) {
		super("The tables of the job queue are missing or too old: these migrations have not been applied: "
				+ String.join(", ", missing));
	}

}
