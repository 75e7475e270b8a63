package io.jobqueue.internal.store.postgresql.monitoring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapperResultSetExtractor;

import io.jobqueue.Priority;
import io.jobqueue.internal.store.RunTimes;
import io.jobqueue.internal.store.StatisticsStore;
import io.jobqueue.internal.store.StatisticsStore.QueueStatistics;
import io.jobqueue.internal.store.StatisticsStore.StatisticsHistory;
import io.jobqueue.internal.store.StatisticsStore.StatisticsStep;
import io.jobqueue.internal.store.StatisticsStore.StatisticsTotal;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.DedicatedConnection;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * The {@link StatisticsStore} of a PostgreSQL database. It writes on the connection of
 * the heartbeats, so that an exhausted pool neither loses statistics nor delays a stop.
 */
public final class PostgresStatisticsStore implements StatisticsStore {

	private static final int FOLDED_AT_ONCE = 1_000;

	private final DedicatedConnection side;

	private final QueueTransaction transactions;

	/**
	 * Create the store.
	 * @param side the connection outside the pool
	 * @param transactions runs transactions of the queue
	 */
	public PostgresStatisticsStore(DedicatedConnection side, QueueTransaction transactions) {
		this.side = side;
		this.transactions = transactions;
	}

	/**
	 * A heartbeat waits for this connection.
	 */
	private static final String BEGIN_ADD = QueueTransaction.BEGIN_ASYNCHRONOUS
			+ ", set_config('lock_timeout', '1s', true)";

	private static final String ADD = """
			INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled,
			    run_times)
			SELECT statement_timestamp(), 1, ?::uuid, queue, priority, succeeded, failed, dead, cancelled, run_times::integer[]
			FROM unnest(?, ?, ?, ?, ?, ?, ?)
			    AS counted (queue, priority, succeeded, failed, dead, cancelled, run_times)
			""";

	/**
	 * Adds up rows, bucket by bucket. An array contains a number for each bucket up to
	 * its end, so that the missing sums are those behind the longest array.
	 * @param buckets the length of the longest array, or more
	 */
	private static String sums(int buckets) {
		return """
				sum(succeeded) AS succeeded, sum(failed) AS failed, sum(dead) AS dead, sum(cancelled) AS cancelled,
				       max(age_millis) AS age_millis, array_remove(ARRAY[%s], NULL) AS run_times"""
			.formatted(IntStream.rangeClosed(1, buckets)
				.mapToObj("sum(run_times[%s])"::formatted)
				.collect(Collectors.joining(", ")));
	}

	/**
	 * Several nodes may fold rows of the same 10 minutes, in the same order. No plan of
	 * an array of row addresses reads the whole index; one of a join by the key could.
	 */
	private static final String FOLD = """
			WITH folded AS (
			    DELETE FROM jobqueue_statistics s
			    WHERE s.ctid = ANY (ARRAY(
			        SELECT due.ctid FROM jobqueue_statistics due
			        WHERE due.minutes = 1
			          AND due.at < date_bin('10 minutes', statement_timestamp() - interval '3 hours', '2000-01-01 00:00:00Z')
			        ORDER BY due.at
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED))
			    RETURNING date_bin('10 minutes', s.at, '2000-01-01 00:00:00Z') AS starts_at, s.*
			)
			INSERT INTO jobqueue_statistics AS s (minutes, at, queue, priority, worker_id, succeeded, failed, dead, cancelled,
			    age_millis, run_times)
			SELECT 10, starts_at, queue, priority, '00000000-0000-0000-0000-000000000000', %s
			FROM folded
			GROUP BY starts_at, queue, priority
			ORDER BY starts_at, queue, priority
			ON CONFLICT (minutes, at, queue, priority, worker_id) DO UPDATE
			SET succeeded = s.succeeded + excluded.succeeded, failed = s.failed + excluded.failed,
			    dead = s.dead + excluded.dead, cancelled = s.cancelled + excluded.cancelled,
			    age_millis = greatest(s.age_millis, excluded.age_millis),
			    run_times = ARRAY(
			        SELECT coalesce(before, 0) + coalesce(more, 0)
			        FROM unnest(s.run_times, excluded.run_times) WITH ORDINALITY AS counted (before, more, bucket)
			        ORDER BY bucket)
			"""
		.formatted(sums(RunTimes.BUCKETS));

	@Override
	public void add(UUID worker, Collection<QueueStatistics> statistics) {
		List<Step> steps = List.of(new Step(ADD, (parameters) -> set(parameters, worker, statistics)),
				new Step(FOLD, (parameters) -> parameters.value(FOLDED_AT_ONCE)));
		Boolean unused = this.side.transact(this.transactions.schema(), (transactions) -> {
			transactions.run(BEGIN_ADD, steps);
			return true;
		});
	}

	private static void set(Parameters parameters, UUID worker, Collection<QueueStatistics> statistics)
			throws SQLException {
		parameters.uuid(worker)
			.texts(statistics, QueueStatistics::queue)
			.smallints(statistics, (each) -> each.priority().best())
			.bigints(statistics, QueueStatistics::succeeded)
			.bigints(statistics, QueueStatistics::failed)
			.bigints(statistics, QueueStatistics::dead)
			.bigints(statistics, QueueStatistics::cancelled)
			.texts(statistics, (each) -> array(each.runTimes()));
	}

	private static String array(RunTimes runTimes) {
		return runTimes.counts().stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
	}

	/**
	 * The time is the begin of the minute, so that the key keeps a second node out.
	 */
	private static final String ADD_AGES = """
			INSERT INTO jobqueue_statistics (at, minutes, worker_id, queue, priority, succeeded, failed, dead, cancelled,
			    age_millis, run_times)
			SELECT date_bin('1 minute', statement_timestamp(), '2000-01-01 00:00:00Z'), 1,
			       '00000000-0000-0000-0000-000000000000', queue, priority, 0, 0, 0, 0, age_millis, '{}'
			FROM unnest(?::text[], ?::smallint[], ?::bigint[]) AS aged (queue, priority, age_millis)
			ORDER BY queue, priority
			ON CONFLICT DO NOTHING
			""";

	@Override
	public void addAges(Collection<OldestAge> ages) {
		this.transactions.run(QueueTransaction.BEGIN_ASYNCHRONOUS,
				List.of(new Step(ADD_AGES,
						(parameters) -> parameters.texts(ages, OldestAge::queue)
							.smallints(ages, (each) -> each.priority().best())
							.bigints(ages, (each) -> each.age().toMillis()))));
	}

	private static final String PERIOD = """
			WITH p AS (
			    SELECT ?::bigint * interval '1 millisecond' AS step, ?::bigint * interval '1 millisecond' AS period,
			           ?::text AS queue
			)""";

	private static final String RECORDED = """
			FROM p
			    JOIN jobqueue_statistics s
			      ON s.minutes IN (1, 10) AND s.at >= date_bin(p.step, statement_timestamp() - p.period, '2000-01-01 00:00:00Z')
			    %s""";

	/**
	 * The rows of a time, with the begin of the step to which each belongs. Each read of
	 * a number of a short stored array copies the array; the concatenation copies it
	 * once. {@code OFFSET 0} keeps the planner from evaluating that for each number.
	 */
	private static final String ROWS = """
			FROM (
			    SELECT date_bin(p.step, s.at, '2000-01-01 00:00:00Z') AS starts_at, s.queue, s.priority, s.succeeded, s.failed,
			           s.dead, s.cancelled, s.age_millis, s.run_times || '{}' AS run_times
			    %s
			    OFFSET 0) s
			""";

	private static final String ALL = RECORDED.formatted("");

	private static final String OF_QUEUE = RECORDED.formatted("WHERE s.queue = p.queue");

	private static final String READ = PERIOD + """

			SELECT starts_at, queue, priority, %s
			%s
			GROUP BY starts_at, queue, priority
			ORDER BY queue, priority, starts_at
			""";

	private static final String READ_ALL = READ.formatted(sums(RunTimes.BUCKETS), ROWS.formatted(ALL));

	private static final String READ_QUEUE = READ.formatted(sums(RunTimes.BUCKETS), ROWS.formatted(OF_QUEUE));

	@Override
	public List<StatisticsStep> read(Duration period, Duration step, @Nullable String queue) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, (queue != null) ? READ_QUEUE : READ_ALL,
				(parameters) -> setPeriod(parameters, period, step, queue),
				(row, number) -> new StatisticsStep(Columns.instant(row, "starts_at"), statistics(row), age(row)));
	}

	/**
	 * Reads an index entry for each length.
	 */
	private static final String FIRST = """
			SELECT statement_timestamp() AS read_at,
			       least((SELECT min(at) FROM jobqueue_statistics WHERE minutes = 1),
			             (SELECT min(at) FROM jobqueue_statistics WHERE minutes = 10)) AS since
			""";

	/**
	 * Most of the time goes into the sums of the buckets: the statement computes as many
	 * as the longest array needs. One of the branches has rows, and the server does not
	 * run the others.
	 */
	private static String history(String recorded) {
		String branches = IntStream.of(RunTimes.BUCKETS / 4, RunTimes.BUCKETS / 2, RunTimes.BUCKETS)
			.mapToObj((buckets) -> """
					SELECT starts_at, %s
					%s
					WHERE (SELECT buckets FROM longest) = %s
					GROUP BY starts_at
					""".formatted(sums(buckets), ROWS.formatted(recorded), buckets))
			.collect(Collectors.joining("UNION ALL\n"));
		return PERIOD + """
				, longest AS MATERIALIZED (
				    SELECT CASE WHEN max(cardinality(s.run_times)) > %1$s / 2 THEN %1$s
				                WHEN max(cardinality(s.run_times)) > %1$s / 4 THEN %1$s / 2 ELSE %1$s / 4 END AS buckets
				    %2$s
				)
				%3$s
				ORDER BY starts_at
				""".formatted(RunTimes.BUCKETS, recorded, branches);
	}

	private static final String HISTORY_OF_ALL = history(ALL);

	private static final String HISTORY_OF_QUEUE = history(OF_QUEUE);

	@Override
	public StatisticsHistory history(Duration period, Duration step, @Nullable String queue) {
		List<StatisticsTotal> totals = new ArrayList<>();
		Answer<List<StatisticsHistory>> history = Answer.ofRows(new RowMapperResultSetExtractor<>(
				(row, number) -> new StatisticsHistory(Columns.instant(row, "read_at"),
						Columns.nullableInstant(row, "since"), totals)));
		this.transactions.run(QueueTransaction.BEGIN_MONITORING,
				List.of(new Step(FIRST, Setter.NONE, history),
						new Step((queue != null) ? HISTORY_OF_QUEUE : HISTORY_OF_ALL,
								(parameters) -> setPeriod(parameters, period, step, queue),
								(row) -> totals.add(total(row)))));
		return history.get().get(0);
	}

	private static StatisticsTotal total(ResultSet row) throws SQLException {
		return new StatisticsTotal(Columns.instant(row, "starts_at"), row.getLong("succeeded"), row.getLong("failed"),
				row.getLong("dead"), runTimes(row), age(row));
	}

	private static void setPeriod(Parameters parameters, Duration period, Duration step, @Nullable String queue)
			throws SQLException {
		parameters.value(step.toMillis()).value(period.toMillis()).text(queue);
	}

	private static QueueStatistics statistics(ResultSet row) throws SQLException {
		return new QueueStatistics(row.getString("queue"), Priority.of(row.getInt("priority")).priorityClass(),
				row.getLong("succeeded"), row.getLong("failed"), row.getLong("dead"), row.getLong("cancelled"),
				runTimes(row));
	}

	private static RunTimes runTimes(ResultSet row) throws SQLException {
		return new RunTimes(List.of((Long[]) row.getArray("run_times").getArray()));
	}

	private static @Nullable Duration age(ResultSet row) throws SQLException {
		return Columns.fromNow(row, "age_millis");
	}

}
