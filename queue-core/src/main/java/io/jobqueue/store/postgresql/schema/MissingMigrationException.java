package io.jobqueue.store.postgresql.schema;

import java.util.List;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if a migration of the tables is missing and migrating is switched off.
 */
@SuppressWarnings("serial")
public class MissingMigrationException extends InvalidConfigurationException {

	MissingMigrationException(List<String> missing, String location) {
		super("The tables of the job queue are missing or outdated. Migrations that are not applied: %s."
			.formatted(String.join(", ", missing)),
				"Apply them (they are in %s of the queue-core jar), or set 'jobqueue.jdbc.migrate=true'."
					.formatted(location));
	}

}
