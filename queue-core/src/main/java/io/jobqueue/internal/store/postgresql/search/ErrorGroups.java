package io.jobqueue.internal.store.postgresql.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.jobqueue.internal.store.JobCount;
import io.jobqueue.internal.store.SearchStore.ErrorGroup;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Counts the jobs of each error by the indexes {@code jobqueue_job_error} and
 * {@code jobqueue_archive_error}, which its expressions have to repeat.
 */
final class ErrorGroups {

	/**
	 * Reads the groups in the order of the index, up to a cap, and up to a cap of jobs of
	 * each. Those that do not count any more are among the latter, so that the cap bounds
	 * what is read.
	 */
	private static final String COUNT = """
			WITH RECURSIVE met (queue, fingerprint, place) AS (
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
			    WHERE m.place < ?
			)
			SELECT m.queue, m.fingerprint, %3$s AS dead, c.jobs, c.capped
			FROM met m
			CROSS JOIN LATERAL (
			    SELECT count(*) FILTER (WHERE counts) AS jobs, count(*) = ? AS capped FROM (
			        SELECT %4$s AS counts FROM %1$s
			        WHERE %2$s AND queue = m.queue AND history -> -1 ->> 'fingerprint' = m.fingerprint
			        LIMIT ?) r) c
			WHERE c.jobs > 0 OR c.capped
			""";

	private static final String FAILED = "history -> -1 ->> 'fingerprint' IS NOT NULL";

	/**
	 * The attempts of other jobs were reset by an operator.
	 */
	private static final String RETRIES = "failures > 0 OR expected_failures > 0";

	private static final String COUNT_LIVE = COUNT.formatted("jobqueue_job", FAILED, false, RETRIES);

	private static final String COUNT_DEAD = COUNT.formatted("jobqueue_archive",
			"(state <> 'DEAD') IS FALSE AND " + FAILED, true, true);

	private ErrorGroups() {
	}

	/**
	 * Count live and dead jobs in one round trip, the largest groups first.
	 */
	static List<ErrorGroup> count(QueueTransaction transactions, int groups, int jobs) {
		List<ErrorGroup> counted = new ArrayList<>();
		transactions.run(QueueTransaction.BEGIN_MONITORING,
				List.of(step(COUNT_LIVE, groups, jobs, counted), step(COUNT_DEAD, groups, jobs, counted)));
		counted.sort(Comparator.comparingLong((ErrorGroup group) -> group.count().jobs()).reversed());
		return counted;
	}

	private static Step step(String sql, int groups, int jobs, List<ErrorGroup> counted) {
		return new Step(sql, (parameters) -> parameters.value(groups).value(jobs).value(jobs),
				(row) -> counted.add(new ErrorGroup(row.getString("queue"), row.getString("fingerprint"),
						row.getBoolean("dead"), new JobCount(row.getLong("jobs"), row.getBoolean("capped")))));
	}

}
