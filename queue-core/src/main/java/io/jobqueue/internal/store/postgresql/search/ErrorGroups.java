package io.jobqueue.internal.store.postgresql.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.SearchStore;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Counts the jobs of each error by the indexes {@code jobqueue_job_error} and
 * {@code jobqueue_archive_error}, which its expressions have to repeat.
 */
final class ErrorGroups {

	/**
	 * Reads the groups in the order of the index, up to a cap. The jobs of each are read
	 * up to a cap, which is lower where many groups have 20 jobs or more: these share a
	 * number of jobs. Jobs that do not count any more are among those that are read, so
	 * that the caps bound the cost.
	 */
	private static final String COUNT = """
			WITH RECURSIVE wanted AS (
			    SELECT ?::integer AS groups, ?::bigint AS jobs, ?::bigint AS shared, ?::text AS queue
			), met (queue, fingerprint, place) AS (
			    (SELECT queue, history -> -1 ->> 'fingerprint', 1
			     FROM %1$s
			     WHERE %2$s
			     ORDER BY queue, history -> -1 ->> 'fingerprint' LIMIT 1)
			    UNION ALL
			    SELECT n.queue, n.fingerprint, m.place + 1
			    FROM met m
			    CROSS JOIN LATERAL (
			        SELECT queue, history -> -1 ->> 'fingerprint' AS fingerprint
			        FROM %1$s
			        WHERE %2$s AND (queue, history -> -1 ->> 'fingerprint') > (m.queue, m.fingerprint)
			        ORDER BY queue, history -> -1 ->> 'fingerprint' LIMIT 1) n
			    WHERE m.place < (SELECT groups FROM wanted)
			), share AS MATERIALIZED (
			    SELECT least((SELECT jobs FROM wanted), (SELECT shared FROM wanted) / greatest(1, count(*))) AS jobs
			    FROM met m
			    WHERE EXISTS (
			        SELECT FROM %1$s
			        WHERE %2$s AND queue = m.queue AND history -> -1 ->> 'fingerprint' = m.fingerprint
			        OFFSET 19)
			)
			SELECT m.queue, m.fingerprint, %3$s AS dead, c.jobs, c.capped
			FROM met m
			CROSS JOIN LATERAL (
			    SELECT count(*) FILTER (WHERE counts) AS jobs, count(*) = (SELECT jobs FROM share) AS capped FROM (
			        SELECT %4$s AS counts FROM %1$s
			        WHERE %2$s AND queue = m.queue AND history -> -1 ->> 'fingerprint' = m.fingerprint
			        LIMIT (SELECT jobs FROM share)) r) c
			WHERE c.jobs > 0 OR c.capped
			""";

	private static final String FAILED = "history -> -1 ->> 'fingerprint' IS NOT NULL";

	/**
	 * The attempts of other jobs were reset by an operator.
	 */
	private static final String RETRIES = "failures > 0 OR expected_failures > 0";

	private static final String DEAD = "(state <> 'DEAD') IS FALSE AND " + FAILED;

	private static final String COUNT_LIVE = COUNT.formatted("jobqueue_job", FAILED, false, RETRIES);

	private static final String COUNT_DEAD = COUNT.formatted("jobqueue_archive", DEAD, true, true);

	private static final String COUNT_DEAD_OF_QUEUE = COUNT.formatted("jobqueue_archive",
			DEAD + " AND queue = (SELECT w.queue FROM wanted w)", true, true);

	private ErrorGroups() {
	}

	/**
	 * Count live and dead jobs in one round trip, the largest groups first.
	 */
	static List<ErrorGroup> count(QueueTransaction transactions, int groups) {
		return run(transactions, groups, null, COUNT_LIVE, COUNT_DEAD);
	}

	/**
	 * Count dead jobs, the largest groups first.
	 */
	static List<ErrorGroup> countDead(QueueTransaction transactions, int groups, @Nullable String queue) {
		return run(transactions, groups, queue, (queue != null) ? COUNT_DEAD_OF_QUEUE : COUNT_DEAD);
	}

	private static List<ErrorGroup> run(QueueTransaction transactions, int groups, @Nullable String queue,
			String... statements) {
		List<ErrorGroup> counted = new ArrayList<>();
		transactions.run(QueueTransaction.BEGIN_MONITORING,
				Stream.of(statements).map((sql) -> step(sql, groups, queue, counted)).toList());
		counted.sort(Comparator.comparingLong((ErrorGroup group) -> group.count().jobs()).reversed());
		return counted;
	}

	private static Step step(String sql, int groups, @Nullable String queue, List<ErrorGroup> counted) {
		return new Step(sql,
				(parameters) -> parameters.value(groups)
					.value(SearchStore.ERROR_CAP)
					.value(SearchStore.SHARED_CAP)
					.text(queue),
				(row) -> counted.add(new ErrorGroup(row.getString("queue"), row.getString("fingerprint"),
						row.getBoolean("dead"), new JobCount(row.getLong("jobs"), row.getBoolean("capped")))));
	}

}
