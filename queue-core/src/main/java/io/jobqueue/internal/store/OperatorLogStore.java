package io.jobqueue.internal.store;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.PessimisticLockingFailureException;

/**
 * Stores what operators did. Changes of jobs write their row in their own transaction,
 * see {@link OperationStore#logging}.
 */
public interface OperatorLogStore {

	/**
	 * Write the row of an operation that changes nothing in the database.
	 * @param operation the operation
	 */
	void add(LoggedOperation operation);

	/**
	 * Begin a step of an operation on several jobs, in a transaction that ends before the
	 * step: a step that fails, or is lost with its node, never begins again.
	 * @param operation the operation
	 * @param step the number of the step, from 0
	 * @return {@code false} if that step has begun before, or if the row is that of
	 * another operation
	 * @throws PessimisticLockingFailureException if another transaction keeps the log, or
	 * a table of the jobs, locked for 2 s
	 */
	boolean beginStep(LoggedOperation operation, int step);

	/**
	 * List operations, the latest first.
	 * @param query which ones
	 * @return a page of them
	 */
	OperatorLogPage list(OperatorLogQuery query);

	/**
	 * Selects operations.
	 *
	 * @param operator the name of the user, {@code null} for any
	 * @param operation the name of the operation, {@code null} for any
	 * @param after the position that the page begins after, {@code null} for the latest
	 * operation
	 * @param limit the maximum number of operations
	 */
	record OperatorLogQuery(@Nullable String operator, @Nullable String operation, @Nullable OperatorLogPosition after,
			int limit) {
	}

	/**
	 * The position of an operation in the log.
	 *
	 * @param at the time of its first change
	 * @param id the id of its row
	 */
	record OperatorLogPosition(Instant at, UUID id) {
	}

	/**
	 * A page of operations. A page of a filter examines at most 10,000 rows.
	 *
	 * @param rows the operations
	 * @param next the position to continue after, {@code null} at the end
	 * @param partial whether it has fewer rows than requested although more may follow
	 */
	record OperatorLogPage(List<OperatorLogRow> rows, @Nullable OperatorLogPosition next, boolean partial) {
	}

	/**
	 * A row of the log.
	 *
	 * @param operation the operation
	 * @param at the time of its first change, or of the beginning of its first step
	 * @param endedAt the time of its last change, {@code null} if there was only one
	 * @param affected the number of changed jobs, {@code null} if it does not count them
	 * @param steps the number of steps that have begun, {@code null} if it has no steps
	 */
	record OperatorLogRow(LoggedOperation operation, Instant at, @Nullable Instant endedAt, @Nullable Long affected,
			@Nullable Integer steps) {
	}

}
