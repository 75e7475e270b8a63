package io.jobqueue.store.postgresql.schema;

import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if the database user lacks rights to migrate or to use the tables, or
 * is subject to their row-level security.
 */
@SuppressWarnings("serial")
public class MissingRightsException extends InvalidConfigurationException {

	private MissingRightsException(String description, String action, @Nullable Throwable cause) {
		super(description, action, cause);
	}

	static MissingRightsException toMigrate(SQLException denial, Throwable cause) {
		return new MissingRightsException(
				"The job queue lacks the rights to migrate its tables: %s.".formatted(denial.getMessage()),
				"Connect with a database user that may create tables, or apply the migrations by hand, set 'jobqueue.jdbc.migrate=false' and grant the rights that docs/database.md lists under Rights.",
				cause);
	}

	static MissingRightsException toUse(String user, String schema) {
		return new MissingRightsException(
				"The job queue cannot access its tables: its database user '%s' lacks USAGE on the schema '%s'."
					.formatted(user, schema),
				"Grant USAGE, and the rights on the tables that docs/database.md lists under Rights.", null);
	}

	static MissingRightsException toAllRows(String user, String schema, List<String> tables) {
		return new MissingRightsException(
				"Row-level security applies to the database user '%s' of the job queue in the schema '%s', and may hide jobs: %s."
					.formatted(user, schema, String.join(", ", tables)),
				"Connect as the owner of the tables or as a user with BYPASSRLS, or switch it off (ALTER TABLE … DISABLE ROW LEVEL SECURITY; for the owner, NO FORCE ROW LEVEL SECURITY suffices).",
				null);
	}

	static MissingRightsException onTables(String user, String schema, List<String> rights) {
		return new MissingRightsException(
				"The database user '%s' of the job queue lacks rights in the schema '%s': %s.".formatted(user, schema,
						String.join("; ", rights)),
				"Grant them; docs/database.md lists all required rights under Rights.", null);
	}

}
