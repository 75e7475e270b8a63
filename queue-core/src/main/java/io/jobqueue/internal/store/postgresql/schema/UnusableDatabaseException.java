package io.jobqueue.internal.store.postgresql.schema;

import java.sql.SQLException;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.internal.store.Causes;

/**
 * Thrown at start if the queue cannot use the database, its tables or its user as they
 * are.
 */
@SuppressWarnings("serial")
public final class UnusableDatabaseException extends InvalidConfigurationException {

	private UnusableDatabaseException(String description, String action, @Nullable Throwable cause) {
		super(description, action, cause);
	}

	static UnusableDatabaseException ofProduct(String product, String supported) {
		return new UnusableDatabaseException("The job queue does not support the database %s.".formatted(product),
				"Configure a DataSource of %s, marked with @JobQueueDataSource if there are several."
					.formatted(supported),
				null);
	}

	/**
	 * With such a threshold, the driver fails where a text has several statements.
	 */
	static UnusableDatabaseException ofPrepareThreshold(int threshold) {
		return new UnusableDatabaseException(
				"The job queue cannot use connections with 'prepareThreshold=%s'.".formatted(threshold),
				"Set it to 0 or above in the JDBC URL, or remove it; or mark a DataSource without it with @JobQueueDataSource.",
				null);
	}

	static UnusableDatabaseException missingMigrations(List<String> missing, String location) {
		return new UnusableDatabaseException(
				"The tables of the job queue are missing or outdated. Migrations that are not applied: %s."
					.formatted(String.join(", ", missing)),
				"Apply them (they are in %s of the queue-core jar), or set 'jobqueue.jdbc.migrate=true'."
					.formatted(location),
				null);
	}

	/**
	 * No schema is configured, and no schema in the connection's {@code search_path}
	 * exists.
	 */
	static UnusableDatabaseException missingSchema(List<String> searchPath) {
		return new UnusableDatabaseException(
				"The connections of the job queue have no schema: their search_path is '%s', and none of its schemas exists."
					.formatted(String.join(", ", searchPath)),
				"Create the schema, or correct 'currentSchema' in the JDBC URL or the pool's schema."
						+ " The queue creates only the schema that 'jobqueue.jdbc.schema' names.",
				null);
	}

	static UnusableDatabaseException noRightToMigrate(SQLException denial, Throwable cause) {
		return new UnusableDatabaseException(
				"The job queue lacks the rights to migrate its tables: %s.".formatted(denial.getMessage()),
				"Connect with a database user that may create tables, or apply the migrations by hand, set 'jobqueue.jdbc.migrate=false' and grant the rights that docs/database.md lists under Rights.",
				cause);
	}

	static UnusableDatabaseException noUsage(String user, String schema) {
		return new UnusableDatabaseException(
				"The job queue cannot access its tables: its database user '%s' lacks USAGE on the schema '%s'."
					.formatted(user, schema),
				"Grant USAGE, and the rights on the tables that docs/database.md lists under Rights.", null);
	}

	static UnusableDatabaseException missingRights(String user, String schema, List<String> rights) {
		return new UnusableDatabaseException(
				"The database user '%s' of the job queue lacks rights in the schema '%s': %s.".formatted(user, schema,
						String.join("; ", rights)),
				"Grant them; docs/database.md lists all required rights under Rights.", null);
	}

	static UnusableDatabaseException hiddenRows(String user, String schema, List<String> tables) {
		return new UnusableDatabaseException(
				"Row-level security applies to the database user '%s' of the job queue in the schema '%s', and may hide jobs: %s."
					.formatted(user, schema, String.join(", ", tables)),
				"Connect as the owner of the tables or as a user with BYPASSRLS, or switch it off (ALTER TABLE … DISABLE ROW LEVEL SECURITY; for the owner, NO FORCE ROW LEVEL SECURITY suffices).",
				null);
	}

	static UnusableDatabaseException readOnly(ReadOnly reason) {
		return new UnusableDatabaseException(
				"The job queue cannot write to its database: %s.".formatted(reason.description), reason.action, null);
	}

	static UnusableDatabaseException unreachable(Throwable failure) {
		SQLException refusal = refusal(failure);
		return unreachable(failure, (refusal != null) ? refusal : failure,
				action((refusal != null) ? refusal.getSQLState() : null));
	}

	/**
	 * Create the exception for a data source that routes. The queue asks it for
	 * connections without the key of a request.
	 */
	static UnusableDatabaseException unreachableRoute(Throwable failure) {
		return (refusal(failure) != null) ? unreachable(failure) : unreachable(failure, failure,
				"Set a default target of the DataSource, which routes: the queue has no key of a request or a tenant. Or mark the DataSource that holds the jobs with @JobQueueDataSource.");
	}

	private static UnusableDatabaseException unreachable(Throwable failure, Throwable reason, String action) {
		return new UnusableDatabaseException("The job queue cannot reach its database: %s.".formatted(text(reason)),
				action, failure);
	}

	/**
	 * Return the exception of the driver or the server, which a pool may have wrapped.
	 */
	private static @Nullable SQLException refusal(Throwable failure) {
		SQLException refusal = null;
		for (Throwable cause : Causes.of(failure)) {
			if (cause instanceof SQLException sql && sql.getSQLState() != null) {
				refusal = sql;
			}
		}
		return refusal;
	}

	/**
	 * The root cause is added because it names an unknown host or a timeout, which the
	 * message of the driver does not.
	 */
	private static String text(Throwable failure) {
		String message = StringUtils.trimTrailingCharacter(String.valueOf(failure.getMessage()), '.');
		Throwable root = Causes.root(failure);
		return (root != failure) ? "%s (%s: %s)".formatted(message, root.getClass().getSimpleName(), root.getMessage())
				: message;
	}

	private static String action(@Nullable String state) {
		return switch ((state != null) ? state : "") {
			case "3D000" -> "Create the database, or correct its name in 'spring.datasource.url'.";
			case "28P01" ->
				"Correct 'spring.datasource.password', or 'spring.datasource.username': the server gives the same answer for a user that does not exist.";
			case "28000" -> "Correct 'spring.datasource.username', create the user, or add it to pg_hba.conf.";
			case "08004" ->
				"Add what the message names as missing: 'spring.datasource.password', or a parameter of 'spring.datasource.url' such as 'sslmode'.";
			case "42501" -> "Grant the user CONNECT on the database.";
			case "08P01" ->
				"Change what the message names, in 'spring.datasource.url' or in the configuration of the server or pooler: PgBouncer, for example, needs the database in its [databases], and the names of unsupported parameters in 'ignore_startup_parameters'.";
			case "53300" -> "Close other connections, or raise 'max_connections' of the server.";
			default -> "Start the database, or correct host and port in 'spring.datasource.url'.";
		};
	}

	/**
	 * The cause of a read-only connection.
	 */
	enum ReadOnly {

		STANDBY("the server is a standby, or still recovers",
				"Connect to the primary server; where 'spring.datasource.url' lists several hosts, 'targetServerType=primary' finds it. An application that only reads sets 'jobqueue.enabled=false'."),

		POOL("the DataSource opens read-only connections",
				"Let it write, for example without 'spring.datasource.hikari.read-only', or mark a DataSource that writes with @JobQueueDataSource."),

		DEFAULT("'default_transaction_read_only' is on",
				"Switch it off for the application's database user (ALTER ROLE … SET default_transaction_read_only = off), or connect as another one.");

		private final String description;

		private final String action;

		ReadOnly(String description, String action) {
			this.description = description;
			this.action = action;
		}

	}

}
