package io.jobqueue.store.postgresql.schema;

import java.util.List;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if the connection has no schema in which the tables could be.
 */
@SuppressWarnings("serial")
public class MissingSchemaException extends InvalidConfigurationException {

	MissingSchemaException(List<String> searchPath) {
		super("The connections of the job queue have no schema: their search_path is '%s', and none of its schemas exists."
			.formatted(String.join(", ", searchPath)),
				"Create the schema, or correct 'currentSchema' in the JDBC URL or the pool's schema."
						+ " The queue creates only the schema that 'jobqueue.jdbc.schema' names.");
	}

}
