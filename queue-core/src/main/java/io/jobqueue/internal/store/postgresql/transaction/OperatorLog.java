package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.SQLException;

import org.springframework.util.Assert;

import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Writes the operator log, in the statements of the operations.
 */
public final class OperatorLog {

	/**
	 * Inserts the row of an operation.
	 */
	public static final String ADD = """
			INSERT INTO jobqueue_operator_log (id, at, operation, value, subject, operator, reason)
			VALUES (?, statement_timestamp(), ?, ?, ?, ?, ?)
			""";

	/**
	 * Inserts the row of an operation, or adds to it, if the statement that follows has
	 * changed rows. RECURSIVE permits this to stand before the relation that it counts.
	 */
	private static final String LOGGED = """
			WITH RECURSIVE logged AS (
			    INSERT INTO jobqueue_operator_log AS l (id, at, operation, value, subject, operator, reason, affected)
			    SELECT ?::uuid, statement_timestamp(), ?::text, ?::text, ?::text, ?::text, ?::text, %s
			    FROM %s
			    HAVING count(*) > 0
			    ON CONFLICT (id) DO UPDATE SET affected = l.affected + excluded.affected, ended_at = excluded.at
			),
			""";

	private static final String WITH = "WITH ";

	private OperatorLog() {
	}

	/**
	 * Return a step whose statement also writes the operation with the number of changed
	 * jobs, unless it changes none.
	 * @param step the step, whose statement begins with {@code WITH}
	 * @param operation the operation
	 * @param changed the relation of the statement that holds the changed jobs
	 * @return the step
	 */
	public static Step counting(Step step, LoggedOperation operation, String changed) {
		return logged(step, operation, "count(*)", changed);
	}

	/**
	 * Return a step whose statement also writes the operation, unless it changes nothing.
	 * @param step the step, whose statement begins with {@code WITH}
	 * @param operation the operation
	 * @param changed the relation of the statement that holds the changed rows
	 * @return the step
	 */
	public static Step logging(Step step, LoggedOperation operation, String changed) {
		return logged(step, operation, "NULL", changed);
	}

	private static Step logged(Step step, LoggedOperation operation, String affected, String changed) {
		Assert.isTrue(step.sql().startsWith(WITH), "The statement must begin with WITH");
		return new Step(LOGGED.formatted(affected, changed) + step.sql().substring(WITH.length()), (parameters) -> {
			set(parameters, operation);
			step.parameters().set(parameters);
		}, step.answer());
	}

	/**
	 * Set the parameters of {@link #ADD}.
	 * @param parameters the parameters
	 * @param operation the operation
	 * @throws SQLException if the driver refuses a value
	 */
	public static void set(Parameters parameters, LoggedOperation operation) throws SQLException {
		parameters.value(operation.id());
		setTexts(parameters, operation);
	}

	/**
	 * Set the operation, value, subject, operator and reason.
	 * @param parameters the parameters
	 * @param operation the operation
	 * @throws SQLException if the driver refuses a value
	 */
	public static void setTexts(Parameters parameters, LoggedOperation operation) throws SQLException {
		parameters.value(operation.name())
			.text(operation.value())
			.replacedText(operation.subject())
			.replacedText(operation.operator())
			.replacedText(operation.reason());
	}

}
