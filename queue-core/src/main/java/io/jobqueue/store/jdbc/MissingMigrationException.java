package io.jobqueue.store.jdbc;

import java.util.List;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if the tables lack a migration and may not be migrated.
 */
@SuppressWarnings("serial")
public class MissingMigrationException extends InvalidConfigurationException {

	MissingMigrationException(List<String> missing, String location) {
		super("The tables of the job queue are missing or too old: these migrations have not been applied: %s."
			.formatted(String.join(", ", missing)),
				"Apply them (they are in %s of queue-core's jar), or let the queue do it with 'jobqueue.jdbc.migrate=true'."
					.formatted(location));
	}

}
