package io.jobqueue.internal.store.postgresql.search;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ErrorCounts;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Counts the jobs of each error by the indexes {@code jobqueue_job_error} and
 * {@code jobqueue_archive_error}, which its expressions have to repeat.
 */
final class ErrorGroups {

	/**
	 * Reads the groups in the order of the index, up to a cap that the queues share
	 * equally, so that one with many errors hides none of another. A queue that has more
	 * adds as many that are frequent in a sample of its jobs. The jobs of each group are
	 * read up to a cap, which is lower where many groups have 20 jobs or more: these
	 * share a number of jobs. Jobs that do not count any more are among those that are
	 * read, so that the caps bound the cost.
	 */
	private static final String COUNT = """
			WITH RECURSIVE wanted AS (
			    SELECT ?::integer AS groups, ?::bigint AS jobs, ?::bigint AS shared, ?::text AS queue
			), queues (queue, place) AS (
			    (SELECT queue, 1 FROM %1$s WHERE %2$s ORDER BY queue, history -> -1 ->> 'fingerprint' LIMIT 1)
			    UNION ALL
			    SELECT n.queue, q.place + 1
			    FROM queues q
			    CROSS JOIN LATERAL (
			        SELECT queue FROM %1$s WHERE %2$s AND queue > q.queue
			        ORDER BY queue, history -> -1 ->> 'fingerprint' LIMIT 1) n
			    WHERE q.place < (SELECT groups FROM wanted)
			), fair AS MATERIALIZED (
			    SELECT (SELECT groups FROM wanted) / greatest(1, count(*)) AS groups FROM queues
			), walked AS MATERIALIZED (
			    SELECT q.queue, e.fingerprint, count(*) OVER (PARTITION BY q.queue) = (SELECT groups FROM fair) AS stopped
			    FROM queues q
			    CROSS JOIN LATERAL (
			        WITH RECURSIVE of_queue (fingerprint, place) AS (
			            (SELECT history -> -1 ->> 'fingerprint', 1
			             FROM %1$s
			             WHERE %2$s AND queue = q.queue
			             ORDER BY queue, history -> -1 ->> 'fingerprint' LIMIT 1)
			            UNION ALL
			            SELECT n.fingerprint, o.place + 1
			            FROM of_queue o
			            CROSS JOIN LATERAL (
			                SELECT history -> -1 ->> 'fingerprint' AS fingerprint
			                FROM %1$s
			                WHERE %2$s AND queue = q.queue AND history -> -1 ->> 'fingerprint' > o.fingerprint
			                ORDER BY queue, history -> -1 ->> 'fingerprint' LIMIT 1) n
			            WHERE o.place < (SELECT groups FROM fair)
			        )
			        SELECT fingerprint FROM of_queue) e
			), met AS MATERIALIZED (
			    SELECT queue, fingerprint, stopped FROM walked
			    UNION
			    SELECT q.queue, f.fingerprint, true
			    FROM (SELECT DISTINCT queue FROM walked WHERE stopped) q
			    CROSS JOIN LATERAL (
			        SELECT fingerprint FROM (
			            SELECT history -> -1 ->> 'fingerprint' AS fingerprint FROM %1$s
			            WHERE %5$s AND queue = q.queue
			            ORDER BY queue, priority LIMIT (SELECT 10 * groups FROM fair)) s
			        WHERE fingerprint IS NOT NULL
			        GROUP BY fingerprint
			        ORDER BY count(*) DESC, fingerprint
			        LIMIT (SELECT groups FROM fair)) f
			), share AS MATERIALIZED (
			    SELECT least((SELECT jobs FROM wanted), (SELECT shared FROM wanted) / greatest(1, count(*))) AS jobs
			    FROM met m
			    WHERE EXISTS (
			        SELECT FROM %1$s
			        WHERE %2$s AND queue = m.queue AND history -> -1 ->> 'fingerprint' = m.fingerprint
			        OFFSET 19)
			)
			SELECT m.queue, m.fingerprint, m.stopped, %3$s AS dead, c.jobs, c.capped
			FROM met m
			CROSS JOIN LATERAL (
			    SELECT count(*) FILTER (WHERE counts) AS jobs, count(*) = (SELECT jobs FROM share) AS capped FROM (
			        SELECT %4$s AS counts FROM %1$s
			        WHERE %2$s AND queue = m.queue AND history -> -1 ->> 'fingerprint' = m.fingerprint
			        LIMIT (SELECT jobs FROM share)) r) c
			WHERE c.jobs > 0 OR c.capped OR m.stopped
			""";

	private static final String FAILED = "history -> -1 ->> 'fingerprint' IS NOT NULL";

	/**
	 * The attempts of other jobs were reset by an operator.
	 */
	private static final String RETRIES = "failures > 0 OR expected_failures > 0";

	private static final String DEAD = "(state <> 'DEAD') IS FALSE AND " + FAILED;

	/**
	 * The samples are in the order of indexes without the fingerprint:
	 * {@code jobqueue_job_retrying} and {@code jobqueue_archive_dead}.
	 */
	private static final String SAMPLED = "(failures > 0 OR expected_failures IS NOT NULL)";

	private static final String SAMPLED_DEAD = "(state <> 'DEAD') IS FALSE";

	private static final String COUNT_LIVE = COUNT.formatted("jobqueue_job", FAILED, false, RETRIES, SAMPLED);

	private static final String COUNT_DEAD = COUNT.formatted("jobqueue_archive", DEAD, true, true, SAMPLED_DEAD);

	private static final String COUNT_DEAD_OF_QUEUE = COUNT.formatted("jobqueue_archive",
			DEAD + " AND queue = (SELECT w.queue FROM wanted w)", true, true, SAMPLED_DEAD);

	private ErrorGroups() {
	}

	/**
	 * Count live and dead jobs in one round trip, the largest groups first.
	 */
	static ErrorCounts count(QueueTransaction transactions, int groups) {
		return run(transactions, groups, null, COUNT_LIVE, COUNT_DEAD);
	}

	/**
	 * Count dead jobs, the largest groups first.
	 */
	static ErrorCounts countDead(QueueTransaction transactions, int groups, @Nullable String queue) {
		return run(transactions, groups, queue, (queue != null) ? COUNT_DEAD_OF_QUEUE : COUNT_DEAD);
	}

	private static ErrorCounts run(QueueTransaction transactions, int groups, @Nullable String queue,
			String... statements) {
		List<ErrorGroup> counted = new ArrayList<>();
		SortedSet<String> partial = new TreeSet<>();
		transactions.run(QueueTransaction.BEGIN_MONITORING,
				Stream.of(statements).map((sql) -> step(sql, groups, queue, counted, partial)).toList());
		counted.sort(Comparator.comparingLong((ErrorGroup group) -> group.count().jobs())
			.reversed()
			.thenComparing(ErrorGroup::queue)
			.thenComparing(ErrorGroup::fingerprint));
		return new ErrorCounts(counted, List.copyOf(partial));
	}

	private static Step step(String sql, int groups, @Nullable String queue, List<ErrorGroup> counted,
			Set<String> partial) {
		return new Step(sql,
				(parameters) -> parameters.value(groups)
					.value(SearchStore.ERROR_CAP)
					.value(SearchStore.SHARED_CAP)
					.text(queue),
				(row) -> read(row, counted, partial));
	}

	private static void read(ResultSet row, List<ErrorGroup> counted, Set<String> partial) throws SQLException {
		JobCount jobs = new JobCount(row.getLong("jobs"), row.getBoolean("capped"));
		if (jobs.jobs() > 0 || jobs.capped()) {
			counted.add(
					new ErrorGroup(row.getString("queue"), row.getString("fingerprint"), row.getBoolean("dead"), jobs));
		}
		if (row.getBoolean("stopped")) {
			partial.add(row.getString("queue"));
		}
	}

}
