package io.jobqueue.store.postgresql.schema;

import java.util.List;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if no schema is configured and no schema in the connection's
 * {@code search_path} exists.
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
