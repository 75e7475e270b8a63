package io.jobqueue.store.postgresql.schema;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.StringUtils;

import io.jobqueue.InvalidConfigurationException;

/**
 * Thrown at start if no connection to the database can be opened.
 */
@SuppressWarnings("serial")
public class UnreachableDatabaseException extends InvalidConfigurationException {

	UnreachableDatabaseException(Throwable failure) {
		this(failure, refusal(failure));
	}

	private UnreachableDatabaseException(Throwable failure, @Nullable SQLException refusal) {
		this(failure, refusal, action((refusal != null) ? refusal.getSQLState() : null));
	}

	private UnreachableDatabaseException(Throwable failure, @Nullable SQLException refusal, String action) {
		super("The job queue cannot reach its database: %s.".formatted(text((refusal != null) ? refusal : failure)),
				action, failure);
	}

	/**
	 * Create the exception for a data source that routes. The queue asks it for
	 * connections without the key of a request.
	 */
	static UnreachableDatabaseException ofRoute(Throwable failure) {
		SQLException refusal = refusal(failure);
		return (refusal != null) ? new UnreachableDatabaseException(failure) : new UnreachableDatabaseException(failure,
				null,
				"Set a default target of the DataSource, which routes: the queue has no key of a request or a tenant. Or mark the DataSource that holds the jobs with @JobQueueDataSource.");
	}

	/**
	 * Return the exception of the driver or the server, which a pool may have wrapped.
	 */
	private static @Nullable SQLException refusal(Throwable failure) {
		SQLException refusal = null;
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
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
		Throwable root = NestedExceptionUtils.getMostSpecificCause(failure);
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

}
