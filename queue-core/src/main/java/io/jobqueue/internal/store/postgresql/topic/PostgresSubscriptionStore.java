package io.jobqueue.internal.store.postgresql.topic;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.TopicSubscription;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.SubscriptionStore.UndeclaredSubscription.End;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.OperatorLog;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link SubscriptionStore} of a PostgreSQL database.
 */
public final class PostgresSubscriptionStore implements SubscriptionStore {

	private final CallerStatements statements;

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param callers runs statements in the transactions of callers
	 * @param transactions runs transactions of the queue
	 */
	public PostgresSubscriptionStore(JdbcTemplate callers, QueueTransaction transactions) {
		this.statements = new CallerStatements(callers, transactions.schema());
		this.transactions = transactions;
	}

	/**
	 * A subscriber that has subscribed to the old and to the new name of a type receives
	 * one job.
	 */
	private static final String QUEUES = """
			SELECT DISTINCT ON (s.subscriber) s.queue
			FROM unnest(?::text[]) WITH ORDINALITY AS t (type, place)
			JOIN jobqueue_subscription s ON s.topic = ? AND s.type = t.type
			WHERE s.filter <@ ?::text[]
			ORDER BY s.subscriber, t.place
			""";

	@Override
	public List<String> queues(String topic, List<String> types, Collection<String> headers) {
		return this.statements.list(QUEUES, (parameters) -> parameters.texts(types).value(topic).texts(headers),
				(row, number) -> row.getString("queue"));
	}

	/**
	 * The rows are written in the order of their keys, so that nodes that start together
	 * do not block each other.
	 */
	private static final String DECLARE = """
			INSERT INTO jobqueue_subscription (last_declared_at, topic, type, subscriber, queue, filter)
			SELECT statement_timestamp(), topic, type, subscriber, queue, string_to_array(filter, ',')
			FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) AS d (topic, type, subscriber, queue, filter)
			ORDER BY topic COLLATE "C", type COLLATE "C", subscriber COLLATE "C"
			ON CONFLICT (topic, type, subscriber) DO UPDATE
			SET (last_declared_at, warned_at, queue, filter) = (excluded.last_declared_at, NULL, excluded.queue, excluded.filter)
			""";

	@Override
	public void declare(Collection<Declaration> declarations) {
		List<Row> rows = rows(declarations);
		int unused = this.transactions.update(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, DECLARE,
				(parameters) -> setKeys(parameters, rows).texts(rows, (row) -> row.declaration().queue())
					.texts(rows, (row) -> String.join(",", row.declaration().filter())));
	}

	private static final String RENEW = """
			UPDATE jobqueue_subscription s
			SET last_declared_at = statement_timestamp(), warned_at = NULL
			FROM (SELECT s.topic, s.type, s.subscriber
			      FROM unnest(?::text[], ?::text[], ?::text[]) AS d (topic, type, subscriber)
			      JOIN jobqueue_subscription s USING (topic, type, subscriber)
			      ORDER BY s.topic, s.type, s.subscriber
			      FOR UPDATE OF s) AS d
			WHERE s.topic = d.topic AND s.type = d.type AND s.subscriber = d.subscriber
			""";

	@Override
	public void renew(Collection<Declaration> declarations) {
		List<Row> rows = rows(declarations);
		int unused = this.transactions.update(QueueTransaction.BEGIN_WITH_LOCK_TIMEOUT, RENEW,
				(parameters) -> setKeys(parameters, rows));
	}

	private static List<Row> rows(Collection<Declaration> declarations) {
		return declarations.stream()
			.flatMap((declaration) -> declaration.types().stream().map((type) -> new Row(declaration, type)))
			.toList();
	}

	private static Parameters setKeys(Parameters parameters, List<Row> rows) throws SQLException {
		return parameters.texts(rows, (row) -> row.declaration().topic())
			.texts(rows, Row::type)
			.texts(rows, (row) -> row.declaration().subscriber());
	}

	/**
	 * Another node that looks at the same time passes the rows, which are locked. A job
	 * that is published at the same time stays in its queue.
	 */
	private static final String EXPIRE = """
			WITH undeclared AS MATERIALIZED (
			    SELECT s.topic, s.type, s.subscriber, s.queue,
			           (extract(epoch FROM statement_timestamp() - s.last_declared_at) * 1000)::bigint AS age_millis,
			           CASE WHEN s.warned_at IS NULL
			                     OR s.last_declared_at > statement_timestamp() - ?::bigint * interval '1 millisecond' THEN 'SOON'
			                WHEN EXISTS (SELECT FROM jobqueue_job j WHERE j.queue = s.queue AND j.type = s.type) THEN 'HELD'
			                ELSE 'ENDED' END AS ends
			    FROM jobqueue_subscription s
			    WHERE s.last_declared_at <= statement_timestamp() - ?::bigint * interval '1 millisecond'
			          AND (s.warned_at IS NULL OR s.warned_at <= statement_timestamp() - interval '1 day')
			    ORDER BY s.topic, s.type, s.subscriber
			    FOR UPDATE SKIP LOCKED
			), ended AS (
			    DELETE FROM jobqueue_subscription s USING undeclared u
			    WHERE s.topic = u.topic AND s.type = u.type AND s.subscriber = u.subscriber AND u.ends = 'ENDED'
			), warned AS (
			    UPDATE jobqueue_subscription s SET warned_at = statement_timestamp() FROM undeclared u
			    WHERE s.topic = u.topic AND s.type = u.type AND s.subscriber = u.subscriber AND u.ends <> 'ENDED'
			)
			SELECT topic, type, subscriber, queue, age_millis, ends FROM undeclared
			""";

	@Override
	public List<UndeclaredSubscription> expire(Duration warnAfter, Duration retention) {
		return this.transactions.list(QueueTransaction.BEGIN, EXPIRE,
				(parameters) -> parameters.value(retention.toMillis()).value(warnAfter.toMillis()),
				(row, number) -> new UndeclaredSubscription(row.getString("topic"), row.getString("subscriber"),
						row.getString("type"), row.getString("queue"), Duration.ofMillis(row.getLong("age_millis")),
						End.valueOf(row.getString("ends"))));
	}

	private static final String REMOVE = """
			WITH removed AS (
			    DELETE FROM jobqueue_subscription WHERE topic = ? AND subscriber = ? RETURNING type
			)
			SELECT type FROM removed
			""";

	@Override
	public boolean remove(String topic, String subscriber, LoggedOperation operation) {
		Answer<Boolean> removed = Answer.ofRows(ResultSet::next);
		Setter parameters = (statement) -> statement.value(topic).value(subscriber);
		this.transactions.run(QueueTransaction.BEGIN,
				List.of(OperatorLog.logging(new Step(REMOVE, parameters, removed), operation, "removed")));
		return removed.get();
	}

	private static final String ALL = """
			SELECT topic, subscriber, type, queue, filter, last_declared_at
			FROM jobqueue_subscription
			ORDER BY topic, subscriber, type
			LIMIT ?
			""";

	@Override
	public List<TopicSubscription> subscriptions(int limit) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, ALL, (parameters) -> parameters.value(limit),
				(row, number) -> new TopicSubscription(row.getString("topic"), row.getString("subscriber"),
						row.getString("type"), row.getString("queue"), filter(row),
						Columns.instant(row, "last_declared_at")));
	}

	private static Map<String, String> filter(ResultSet row) throws SQLException {
		Map<String, String> filter = new TreeMap<>();
		for (String header : (String[]) row.getArray("filter").getArray()) {
			int end = header.indexOf('=');
			filter.put(header.substring(0, end), header.substring(end + 1));
		}
		return filter;
	}

	/**
	 * A declaration and one of the names of its type.
	 */
	private record Row(Declaration declaration, String type) {
	}

}
