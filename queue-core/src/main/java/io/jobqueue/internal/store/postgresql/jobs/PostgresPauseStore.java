package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.ResultSet;
import java.util.List;
import java.util.Objects;

import io.jobqueue.QueuePause;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.PauseStore;
import io.jobqueue.internal.store.PauseTarget;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.OperatorLog;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link PauseStore} of a PostgreSQL database.
 */
public final class PostgresPauseStore implements PauseStore {

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresPauseStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * One statement has written the pause and its row of the operator log, so that both
	 * have the same time.
	 */
	private static final String PAUSED = """
			SELECT p.queue, nullif(p.type, '') AS type, p.paused_at, p.paused_by,
			       (SELECT l.reason FROM jobqueue_operator_log l
			        WHERE l.at = p.paused_at AND l.operation = 'pause' AND l.subject = concat_ws('/', p.queue, nullif(p.type, ''))
			        LIMIT 1) AS reason
			FROM jobqueue_pause p
			ORDER BY p.queue, p.type
			""";

	@Override
	public List<QueuePause> pauses() {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, PAUSED, Setter.NONE,
				(row, number) -> new QueuePause(row.getString("queue"), row.getString("type"),
						Columns.instant(row, "paused_at"), row.getString("paused_by"), row.getString("reason")));
	}

	private static final String PAUSE = """
			WITH changed AS (
			    INSERT INTO jobqueue_pause (queue, type, paused_at, paused_by) VALUES (?, ?, statement_timestamp(), ?)
			    ON CONFLICT (queue, type) DO NOTHING
			    RETURNING queue
			)
			SELECT queue FROM changed
			""";

	@Override
	public boolean pause(PauseTarget paused, LoggedOperation operation) {
		return change(PAUSE,
				(parameters) -> parameters.value(paused.queue()).value(type(paused)).replacedText(operation.operator()),
				operation);
	}

	private static final String RESUME = """
			WITH changed AS (
			    DELETE FROM jobqueue_pause WHERE queue = ? AND type = ? RETURNING queue
			)
			SELECT queue FROM changed
			""";

	@Override
	public boolean resume(PauseTarget paused, LoggedOperation operation) {
		return change(RESUME, (parameters) -> parameters.value(paused.queue()).value(type(paused)), operation);
	}

	private boolean change(String sql, Setter parameters, LoggedOperation operation) {
		Answer<Boolean> changed = Answer.ofRows(ResultSet::next);
		this.transactions.run(QueueTransaction.BEGIN_OPERATION,
				List.of(OperatorLog.logging(new Step(sql, parameters, changed), operation, "changed")));
		return changed.get();
	}

	private static String type(PauseTarget paused) {
		return Objects.requireNonNullElse(paused.type(), "");
	}

}
