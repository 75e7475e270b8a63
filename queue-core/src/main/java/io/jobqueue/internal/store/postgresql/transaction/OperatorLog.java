package io.jobqueue.internal.store.postgresql.transaction;

import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Writes the operator log, in the transactions of the operations.
 */
public final class OperatorLog {

	/**
	 * Inserts the row of an operation, or adds to it.
	 */
	public static final String ADD = """
			INSERT INTO jobqueue_operator_log AS l (id, at, affected, operation, value, subject, operator, reason)
			VALUES (?, statement_timestamp(), ?, ?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET affected = l.affected + excluded.affected, ended_at = excluded.at
			""";

	private OperatorLog() {
	}

	/**
	 * Return the step of a transaction that writes an operation.
	 * @param operation the operation
	 * @param affected the number of changed jobs, {@code null} if it does not count them
	 * @return the step
	 */
	public static Step step(LoggedOperation operation, @Nullable Long affected) {
		return new Step(ADD, (parameters) -> set(parameters, operation, affected));
	}

	/**
	 * Set the parameters of {@link #ADD}.
	 * @param parameters the parameters
	 * @param operation the operation
	 * @param affected the number of changed jobs, {@code null} if it does not count them
	 * @throws SQLException if the driver refuses a value
	 */
	public static void set(Parameters parameters, LoggedOperation operation, @Nullable Long affected)
			throws SQLException {
		parameters.value(operation.id()).number(affected);
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
