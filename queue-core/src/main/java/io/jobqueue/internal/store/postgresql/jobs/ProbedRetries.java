package io.jobqueue.internal.store.postgresql.jobs;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.RowCallbackHandler;

import io.jobqueue.internal.store.AttemptStore.RetryProbe;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.Parameters.Setter;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;

/**
 * Holds retries back while the jobs of a queue fail, and lets single ones out to probe
 * it. A retry that is held back has {@code run_at} at infinity, and its due time in
 * {@code due_at}. The lock {@link QueueLock#PROBES} is taken first, so that two
 * transactions do not let out one retry each. Retries with an ordering or a limit key are
 * not held back; they are subject to admission only.
 */
final class ProbedRetries {

	private final QueueTransaction transactions;

	ProbedRetries(QueueTransaction transactions) {
		this.transactions = transactions;
	}

	/**
	 * Finds the queues that hold retries back, with one index probe per queue.
	 */
	private static final String QUEUES = """
			WITH RECURSIVE held (queue) AS (
			    (SELECT queue FROM jobqueue_job WHERE failures > 0 AND due_at IS NOT NULL AND admission IS NULL ORDER BY queue LIMIT 1)
			    UNION ALL
			    SELECT n.queue
			    FROM held h
			    CROSS JOIN LATERAL (
			        SELECT j.queue FROM jobqueue_job j
			        WHERE j.queue > h.queue AND j.failures > 0 AND j.due_at IS NOT NULL AND j.admission IS NULL
			        ORDER BY j.queue LIMIT 1) n
			)
			SELECT queue FROM held
			""";

	/**
	 * In each queue that holds back retries, release one unless another is ready or
	 * running.
	 */
	Collection<JobsAvailable> release() {
		List<RetryProbe> probes = this.transactions
			.list(QueueTransaction.BEGIN, QUEUES, Setter.NONE, (row, number) -> row.getString("queue"))
			.stream()
			.map((queue) -> new RetryProbe(Columns.LOWEST_ID, queue, false, false, Duration.ZERO))
			.toList();
		List<JobsAvailable> released = new ArrayList<>();
		this.transactions.run(QueueTransaction.BEGIN, steps(probes, (row) -> released.add(Columns.jobsAvailable(row))));
		return released;
	}

	private static final String LET_ALL_OUT = """
			UPDATE jobqueue_job j
			SET run_at = greatest(j.due_at, statement_timestamp()), due_at = NULL
			FROM (
			    SELECT h.ctid AS tid FROM jobqueue_job h
			    WHERE h.queue = ANY (?::text[]) AND h.failures > 0 AND h.due_at IS NOT NULL AND h.admission IS NULL
			    FOR UPDATE SKIP LOCKED) h
			WHERE j.ctid = h.tid
			RETURNING j.queue, j.priority, j.run_at, j.seq,
			          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis, false AS pending
			""";

	/**
	 * Let all retries out in queues that no longer probe them.
	 */
	Collection<JobsAvailable> releaseAll(Collection<String> queues) {
		return this.transactions.list(QueueTransaction.BEGIN, LET_ALL_OUT, (parameters) -> parameters.texts(queues),
				(row, number) -> Columns.jobsAvailable(row));
	}

	/**
	 * Return the steps that hold retries back and let retries out. They must be the last
	 * steps of a transaction, because their lock blocks other transactions.
	 * @param released receives the rows of retries that were released
	 */
	List<Step> steps(Collection<RetryProbe> probes, RowCallbackHandler released) {
		Set<String> queues = probes.stream().map(RetryProbe::queue).collect(Collectors.toSet());
		return List.of(QueueLock.PROBES.of(queues, this.transactions), hold(probes), release(probes, released));
	}

	/**
	 * Selects the attempts whose outcome was written: their jobs are not claimed and,
	 * after a success, no longer live.
	 */
	private static final String ENDED = """
			WITH ended_attempt AS (
			    SELECT p.*
			    FROM unnest(?::uuid[], ?::text[], ?::boolean[], ?::boolean[], ?::bigint[])
			        AS p (id, queue, retry, succeeded, pause_millis)
			    WHERE (SELECT true FROM jobqueue_job j WHERE j.id = p.id AND (p.succeeded OR j.locked_by IS NOT NULL) LIMIT 1)
			          IS NULL
			)
			""";

	/**
	 * Holds back jobs whose first attempt failed, all retries of a queue in which a retry
	 * failed, and retries that are due in more than {@link RetryProbe#LONGEST_PAUSE}.
	 * Locked jobs are skipped.
	 */
	private static final String HOLD = ENDED.stripTrailing() + """
			, failed AS (
			    SELECT queue, bool_or(retry) AS stopped FROM ended_attempt WHERE NOT succeeded GROUP BY queue
			), out AS (
			    SELECT j.tid
			    FROM failed f
			    CROSS JOIN generate_series(0, 99) AS p (priority)
			    CROSS JOIN LATERAL (
			        SELECT j.ctid AS tid FROM jobqueue_job j
			        WHERE j.queue = f.queue AND j.priority = p.priority AND j.failures > 0 AND j.run_at < 'infinity'
			          AND j.locked_by IS NULL AND j.ordering_key IS NULL AND j.limit_key IS NULL
			          AND (f.stopped OR j.run_at > statement_timestamp() + ? * interval '1 millisecond'
			               OR j.id IN (SELECT id FROM ended_attempt))
			        ORDER BY j.run_at
			        LIMIT 1000
			        FOR UPDATE SKIP LOCKED) j
			)
			UPDATE jobqueue_job j
			SET due_at = j.run_at, run_at = 'infinity'
			FROM out o
			WHERE j.ctid = o.tid
			""";

	private static Step hold(Collection<RetryProbe> probes) {
		return new Step(HOLD, (parameters) -> set(parameters, probes).value(RetryProbe.LONGEST_PAUSE.toMillis()));
	}

	/**
	 * Lets out two retries for each success, or one if no retry of the queue is out. A
	 * retry that was due more than a minute ago and is not claimed, perhaps because no
	 * worker has a handler for its type, does not count as out. The order is that of the
	 * due times.
	 */
	private static final String RELEASE = ENDED.stripTrailing()
			+ """
					, swept AS (
					    SELECT queue, max(pause_millis) AS pause_millis,
					           CASE WHEN bool_or(retry AND NOT succeeded) THEN 0 ELSE 2 * count(*) FILTER (WHERE succeeded) END AS earned
					    FROM ended_attempt
					    GROUP BY queue
					), chosen AS (
					    SELECT h.tid, s.pause_millis
					    FROM swept s
					    CROSS JOIN LATERAL (
					        SELECT greatest(s.earned, CASE WHEN EXISTS (
					            SELECT 1
					            FROM generate_series(0, 99) AS p (priority)
					            CROSS JOIN LATERAL (
					                SELECT 1 FROM jobqueue_job j
					                WHERE j.queue = s.queue AND j.priority = p.priority AND j.failures > 0
					                  AND j.run_at < 'infinity' AND j.ordering_key IS NULL AND j.limit_key IS NULL
					                  AND (j.run_at > statement_timestamp() - interval '1 minute' OR j.locked_by IS NOT NULL)
					                ORDER BY j.run_at LIMIT 1) j) THEN 0 ELSE 1 END) AS jobs) n
					    CROSS JOIN LATERAL (
					        SELECT h.tid
					        FROM generate_series(0, 99) AS p (priority)
					        CROSS JOIN LATERAL (
					            SELECT j.ctid AS tid, j.due_at, j.seq FROM jobqueue_job j
					            WHERE j.queue = s.queue AND j.priority = p.priority AND j.failures > 0 AND j.due_at IS NOT NULL AND j.admission IS NULL
					            ORDER BY j.due_at
					            LIMIT n.jobs
					            FOR UPDATE SKIP LOCKED) h
					        ORDER BY h.due_at, h.seq
					        LIMIT n.jobs) h
					)
					UPDATE jobqueue_job j
					SET run_at = greatest(j.due_at, statement_timestamp() + c.pause_millis * interval '1 millisecond'), due_at = NULL
					FROM chosen c
					WHERE j.ctid = c.tid
					RETURNING j.queue, j.priority, j.run_at, j.seq,
					          date_part('epoch', j.run_at - statement_timestamp()) * 1000 AS due_in_millis, false AS pending
					""";

	private static Step release(Collection<RetryProbe> probes, RowCallbackHandler released) {
		return new Step(RELEASE, (parameters) -> set(parameters, probes), released);
	}

	private static Parameters set(Parameters parameters, Collection<RetryProbe> probes) throws SQLException {
		return parameters.uuids(probes, RetryProbe::job)
			.texts(probes, RetryProbe::queue)
			.booleans(probes, RetryProbe::retry)
			.booleans(probes, RetryProbe::succeeded)
			.bigints(probes, (probe) -> Columns.millis(probe.pause()));
	}

}
