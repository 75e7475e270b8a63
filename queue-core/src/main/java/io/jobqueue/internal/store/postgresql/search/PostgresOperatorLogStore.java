package io.jobqueue.internal.store.postgresql.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.OperatorLogStore;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogPage;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogPosition;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogQuery;
import io.jobqueue.internal.store.OperatorLogStore.OperatorLogRow;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.OperatorLog;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link OperatorLogStore} of a PostgreSQL database.
 */
public final class PostgresOperatorLogStore implements OperatorLogStore {

	private static final int MAX_LOOKED_AT = 10_000;

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param transactions runs transactions of the queue
	 */
	public PostgresOperatorLogStore(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	@Override
	public void add(LoggedOperation operation) {
		this.transactions.update(QueueTransaction.BEGIN_OPERATION, OperatorLog.ADD,
				(parameters) -> OperatorLog.set(parameters, operation));
	}

	/**
	 * A statement such as CREATE INDEX locks a table until it ends. The search of a step
	 * would still find jobs, and each change of them would wait for a lock timeout.
	 */
	private static final String LOCK_TABLES = """
			LOCK TABLE jobqueue_job, jobqueue_archive, jobqueue_key IN ROW EXCLUSIVE MODE
			""";

	private static final String BEGIN_AFTER_LOCKS = QueueTransaction.BEGIN + ", set_config('lock_timeout', '2s', true)";

	/**
	 * A row whose step has begun in another transaction is locked until that ends.
	 */
	private static final String BEGIN_STEP = """
			INSERT INTO jobqueue_operator_log AS l (id, at, steps, affected, operation, value, subject, operator, reason)
			SELECT s.id, statement_timestamp(), s.step + 1, 0, s.operation, s.value, s.subject, s.operator, s.reason
			FROM (SELECT ?::uuid AS id, ?::integer AS step, ?::text AS operation, ?::text AS value, ?::text AS subject,
			             ?::text AS operator, ?::text AS reason) s
			ON CONFLICT (id) DO UPDATE SET steps = excluded.steps
			WHERE l.steps = excluded.steps - 1
			  AND (l.operation, l.value, l.subject, l.operator, l.reason)
			      IS NOT DISTINCT FROM (excluded.operation, excluded.value, excluded.subject, excluded.operator, excluded.reason)
			""";

	@Override
	public boolean beginStep(LoggedOperation operation, int step) {
		Answer<Integer> begun = Answer.ofCount();
		this.transactions.run(BEGIN_AFTER_LOCKS,
				List.of(new Step(LOCK_TABLES, Setter.NONE), new Step(BEGIN_STEP, (parameters) -> {
					parameters.value(operation.id()).value(step);
					OperatorLog.setTexts(parameters, operation);
				}, begun)));
		return begun.get() > 0;
	}

	/**
	 * Each row has the last position that was examined; rows that match also have the
	 * operation.
	 */
	private static final String LIST = """
			WITH looked_at AS (
			    SELECT l.* FROM jobqueue_operator_log l
			    WHERE %s (l.at, l.id) < (coalesce('epoch'::timestamptz + ?::bigint * interval '1 microsecond', 'infinity'), ?::uuid)
			    ORDER BY l.at DESC, l.id DESC
			    LIMIT ?
			), matching AS (
			    SELECT * FROM looked_at
			    WHERE ?::text IS NULL OR operation = ?
			    ORDER BY at DESC, id DESC
			    LIMIT ?
			)
			SELECT m.*, e.looked_at, e.last_at, e.last_id
			FROM (SELECT count(*) AS looked_at, min(at) AS last_at,
			             (SELECT id FROM looked_at ORDER BY at, id LIMIT 1) AS last_id FROM looked_at) e
			LEFT JOIN matching m ON true
			ORDER BY m.at DESC, m.id DESC
			""";

	private static final String LIST_ALL = LIST.formatted("");

	private static final String LIST_OF_OPERATOR = LIST.formatted("l.operator = ? AND");

	@Override
	public OperatorLogPage list(OperatorLogQuery query) {
		return this.transactions.query(QueueTransaction.BEGIN_MONITORING,
				(query.operator() != null) ? LIST_OF_OPERATOR : LIST_ALL, (parameters) -> set(parameters, query),
				(rows) -> page(rows, query));
	}

	private static void set(Parameters parameters, OperatorLogQuery query) throws SQLException {
		if (query.operator() != null) {
			parameters.value(query.operator());
		}
		OperatorLogPosition after = query.after();
		parameters.number((after != null) ? Columns.ofInstant(after.at()) : null)
			.value((after != null) ? after.id() : new UUID(-1, -1))
			.value((query.operation() != null) ? MAX_LOOKED_AT : query.limit() + 1)
			.text(query.operation())
			.text(query.operation())
			.value(query.limit() + 1);
	}

	private static OperatorLogPage page(ResultSet rows, OperatorLogQuery query) throws SQLException {
		List<OperatorLogRow> found = new ArrayList<>();
		OperatorLogPosition reached = null;
		while (rows.next()) {
			if (rows.getObject("id") != null) {
				found.add(row(rows));
			}
			reached = (rows.getInt("looked_at") == MAX_LOOKED_AT) ? position(rows, "last_at", "last_id") : null;
		}
		if (found.size() > query.limit()) {
			OperatorLogRow last = found.get(query.limit() - 1);
			return new OperatorLogPage(found.subList(0, query.limit()),
					new OperatorLogPosition(last.at(), last.operation().id()), false);
		}
		return new OperatorLogPage(found, reached, reached != null);
	}

	private static OperatorLogPosition position(ResultSet row, String at, String id) throws SQLException {
		return new OperatorLogPosition(Columns.instant(row, at), row.getObject(id, UUID.class));
	}

	private static OperatorLogRow row(ResultSet row) throws SQLException {
		LoggedOperation operation = new LoggedOperation(row.getObject("id", UUID.class), row.getString("operation"),
				row.getString("value"), row.getString("subject"), row.getString("operator"), row.getString("reason"));
		return new OperatorLogRow(operation, Columns.instant(row, "at"), Columns.nullableInstant(row, "ended_at"),
				row.getObject("affected", Long.class), row.getObject("steps", Integer.class));
	}

}
