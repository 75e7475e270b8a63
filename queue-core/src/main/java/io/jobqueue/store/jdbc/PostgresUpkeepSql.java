package io.jobqueue.store.jdbc;

/**
 * What happens around jobs on PostgreSQL: workers, upkeep and signals.
 */
final class PostgresUpkeepSql {

	/**
	 * A heartbeat must not wait for a lock of the table of jobs.
	 */
	static final String BEGIN_CHECK_IN = PostgresSql.BEGIN + ", set_config('lock_timeout', '1s', true)";

	private static final String CHECK_IN_WITH = """
			WITH me AS (
			    UPDATE jobqueue_worker SET last_active_at = statement_timestamp(), idle = ?
			    WHERE id = ?
			    RETURNING id, service, idle
			)
			SELECT count(w.id) FILTER (WHERE w.id < m.id) AS place, count(w.id) + 1 AS size, statement_timestamp() AS at,
			       %s AS cancels,
			       (SELECT bit_xor(hashtextextended(p.queue || ' ' || p.type, 0)) FROM jobqueue_pause p) AS pauses
			FROM me m
			LEFT JOIN jobqueue_worker w ON w.id <> m.id AND w.service = m.service AND w.idle AND m.idle
			    AND w.last_active_at > statement_timestamp() - w.timeout_millis / 2 * interval '1 millisecond'
			GROUP BY m.id
			""";

	/**
	 * Workers whose last heartbeat is older than half of their timeout take no poll turn.
	 */
	static final String CHECK_IN = CHECK_IN_WITH
		.formatted("(SELECT array_agg(j.id) FROM jobqueue_job j WHERE j.cancel_requested AND j.locked_by = m.id)");

	/**
	 * The same while the table of jobs is locked.
	 */
	static final String CHECK_IN_ALONE = CHECK_IN_WITH.formatted("NULL::uuid[]");

	static final String INTRODUCE = """
			INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, service, idle, name, queues,
			    limits)
			VALUES (?, statement_timestamp(), statement_timestamp(), ?, ?, ?, ?, ?, ?)
			""";

	static final String CHANGE = """
			UPDATE jobqueue_worker SET service = ?, queues = ?, limits = ? WHERE id = ?
			""";

	static final String OTHER_LIMITS = """
			SELECT name, queues, limits
			FROM jobqueue_worker
			WHERE id <> ? AND limits <> ?
			    AND last_active_at > statement_timestamp() - timeout_millis * interval '1 millisecond'
			ORDER BY name
			""";

	static final String CHECK_OUT = """
			DELETE FROM jobqueue_worker WHERE id = ?
			""";

	/**
	 * Jobs of a silent worker are taken at once, and first, those of a living one when
	 * their lease is over. What is being settled right now is skipped and keeps its
	 * claim's row. Those that are to be cancelled are, and so are those that others have
	 * left with such a request, all or one. A silent worker without claims is forgotten:
	 * a row that has its name alone. The last row tells whether there are jobs that wait
	 * for others, and such as have an ordering key or wait for a slot, and where to go on
	 * if there may be more claims. Claims of which nothing can be taken are passed. A
	 * worker that was active in the future, as the clock has jumped back since, counts
	 * from now on: a living one checks in before it counts as silent.
	 */
	static final String REAP = """
			WITH expired AS (
			    SELECT c.*, coalesce(w.name, c.worker_id::text) AS worker, s.silent
			    FROM jobqueue_claim c
			    LEFT JOIN jobqueue_worker w ON w.id = c.worker_id
			    CROSS JOIN LATERAL (
			        SELECT coalesce(w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond',
			                        true) AS silent) s
			    WHERE (s.silent OR c.expires_at <= statement_timestamp())
			      AND (NOT s.silent, c.expires_at, c.worker_id, c.claim) > (NOT ?, ?::timestamptz, ?, ?)
			    ORDER BY NOT s.silent, c.expires_at, c.worker_id, c.claim
			    LIMIT ?
			    FOR UPDATE OF c SKIP LOCKED
			), held AS (
			    SELECT j.id, j.lease_until, j.queue, j.type, j.priority, j.run_at, j.seq, j.attempts,
			           least(j.failures + 1, 1000000000) AS failures, j.created_at, j.headers, j.ordering_key, j.limit_key,
			           e.worker_id, e.claim, e.worker,
			           CASE WHEN j.cancel_requested THEN j.keep_cancelled_millis ELSE e.keep_dead_millis END AS keep_millis,
			           l.max_attempts,
			           e.silent OR j.lease_until <= statement_timestamp() AS lost,
			           CASE WHEN j.cancel_requested THEN 'CANCELLED'
			                WHEN j.at_most_once OR l.max_attempts
			                    BETWEEN 1 AND j.attempts - coalesce(j.expected_failures, 0) THEN 'DEAD' END AS state,
			           CASE WHEN e.silent AND j.at_most_once THEN 'Lost in a crash: the worker ' || e.worker || ' fell silent'
			                WHEN e.silent THEN 'Lost: the worker ' || e.worker || ' fell silent'
			                ELSE 'Timed out: the worker ' || e.worker || ' did not finish within the maximum run time'
			                END AS error
			    FROM expired e
			    JOIN jobqueue_job j ON j.id = ANY (e.job_ids) AND j.claim = e.claim AND j.locked_by = e.worker_id
			    CROSS JOIN LATERAL (
			        SELECT coalesce(j.max_attempts, e.type_max_attempts[array_position(e.limited_types, j.type)],
			                        e.max_attempts) AS max_attempts) l
			), taken AS (
			    SELECT h.*
			    FROM jobqueue_job j JOIN held h ON h.id = j.id AND h.claim = j.claim AND h.worker_id = j.locked_by
			    WHERE h.lost AND (h.state IS NULL OR ?)
			    FOR UPDATE OF j SKIP LOCKED
			), left_alone AS (
			    SELECT id, keep_cancelled_millis
			    FROM jobqueue_job
			    WHERE cancel_requested AND locked_by IS NULL AND id = coalesce(?::uuid, id)
			    LIMIT 100
			    FOR UPDATE SKIP LOCKED
			), ended AS (
			    DELETE FROM jobqueue_job j
			    USING (
			        SELECT id, state, worker, error, keep_millis, 1 AS failures FROM taken WHERE state IS NOT NULL
			        UNION ALL
			        SELECT id, 'CANCELLED', NULL, NULL, keep_cancelled_millis, 0 FROM left_alone) t
			    WHERE j.id = t.id
			    RETURNING j.*, t.state, t.worker, t.error, t.keep_millis,
			              least(j.failures + t.failures, 1000000000) AS all_failures
			), archived AS (
			    INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, max_run_millis,
			                                  dedupe_millis, ancestor_id, locked_by, attempts, failures, expected_failures, max_attempts, priority, state,
			                                  queue, type, payload, payload_bytes, headers, unique_key, ordering_key, limit_key,
			                                  job_group, last_error, progress_percent, progress_message)
			    SELECT id, seq, coalesce(due_at, run_at), created_at, statement_timestamp(),
			           statement_timestamp() + keep_millis * interval '1 millisecond', max_run_millis,
			           dedupe_millis, ancestor_id, locked_by, attempts, all_failures, expected_failures, max_attempts, priority, state,
			           queue, type, payload, payload_bytes, headers, unique_key, ordering_key, limit_key, job_group,
			           coalesce(error, last_error), progress_percent, progress_message
			    FROM ended
			    WHERE keep_millis IS DISTINCT FROM 0
			), released AS (
			    UPDATE jobqueue_job j
			    SET locked_by = NULL, claim = NULL, lease_until = NULL,
			        failures = least(j.failures + 1, 1000000000), last_error = t.error
			    FROM taken t
			    WHERE j.id = t.id AND t.state IS NULL
			), left_over AS (
			    SELECT h.worker_id, h.claim, min(h.lease_until) AS expires_at
			    FROM held h
			    WHERE NOT EXISTS (SELECT 1 FROM taken t WHERE t.id = h.id)
			    GROUP BY h.worker_id, h.claim
			), closed AS (
			    DELETE FROM jobqueue_claim c USING expired e
			    WHERE c.worker_id = e.worker_id AND c.claim = e.claim
			      AND NOT EXISTS (SELECT 1 FROM left_over l WHERE l.worker_id = c.worker_id AND l.claim = c.claim)
			), postponed AS (
			    UPDATE jobqueue_claim c SET expires_at = l.expires_at
			    FROM left_over l
			    WHERE c.worker_id = l.worker_id AND c.claim = l.claim AND c.expires_at <> l.expires_at
			), forgotten AS (
			    DELETE FROM jobqueue_worker w
			    WHERE w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			      AND NOT EXISTS (SELECT 1 FROM jobqueue_claim c WHERE c.worker_id = w.id)
			    RETURNING w.name
			), brought_back AS (
			    UPDATE jobqueue_worker w SET last_active_at = statement_timestamp()
			    FROM (
			        SELECT id FROM jobqueue_worker
			        WHERE last_active_at > statement_timestamp() + timeout_millis * interval '1 millisecond'
			        FOR UPDATE SKIP LOCKED) a
			    WHERE w.id = a.id
			), last AS (
			    SELECT silent, expires_at, worker_id, claim
			    FROM expired
			    ORDER BY NOT silent, expires_at, worker_id, claim
			    OFFSET ?::bigint - 1
			)
			SELECT queue, priority, type, worker, state, count(*) AS count, min(run_at) AS run_at, min(seq) AS seq,
			       NULL::uuid AS id, NULL::integer AS attempts, NULL::integer AS max_attempts,
			       NULL::timestamptz AS created_at, NULL::text AS headers, NULL::integer AS failures,
			       NULL::text AS ordering_key, NULL::text AS limit_key, NULL::boolean AS waiting, NULL::boolean AS keyed,
			       NULL::boolean AS last_silent, NULL::text AS last_expires_at, NULL::uuid AS last_worker,
			       NULL::bigint AS last_claim
			FROM taken
			GROUP BY queue, priority, type, worker, state
			UNION ALL
			SELECT queue, priority, type, worker, state, NULL, run_at, seq, id, attempts, max_attempts, created_at,
			       headers, failures, ordering_key, limit_key, NULL, NULL, NULL, NULL, NULL, NULL
			FROM taken
			UNION ALL
			SELECT queue, priority, type, NULL, state, NULL, coalesce(due_at, run_at), seq, id, attempts, max_attempts,
			       created_at, headers, failures, ordering_key, limit_key, NULL, NULL, NULL, NULL, NULL, NULL
			FROM ended
			WHERE worker IS NULL
			UNION ALL
			SELECT NULL, NULL, NULL, name, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			       NULL, NULL, NULL, NULL
			FROM forgotten
			UNION ALL
			SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			       EXISTS (SELECT 1 FROM jobqueue_job WHERE follows IS NOT NULL)
			       OR EXISTS (SELECT 1 FROM jobqueue_job WHERE failures > 0 AND due_at IS NOT NULL AND gate IS NULL),
			       EXISTS (SELECT 1 FROM jobqueue_job WHERE ordering_key IS NOT NULL)
			       OR EXISTS (SELECT 1 FROM jobqueue_job WHERE gate = 'SLOT'),
			       l.silent, l.expires_at::text, l.worker_id, l.claim
			FROM (VALUES (1)) one LEFT JOIN last l ON true
			""";

	/**
	 * The next claim that the reaper looks at.
	 */
	static final String NEXT_EXPIRED = """
			    SELECT s.silent AS last_silent, c.expires_at::text AS last_expires_at, c.worker_id AS last_worker,
			           c.claim AS last_claim
			    FROM jobqueue_claim c
			    LEFT JOIN jobqueue_worker w ON w.id = c.worker_id
			    CROSS JOIN LATERAL (
			        SELECT coalesce(w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond',
			                        true) AS silent) s
			    WHERE (s.silent OR c.expires_at <= statement_timestamp())
			      AND (NOT s.silent, c.expires_at, c.worker_id, c.claim) > (NOT ?, ?::timestamptz, ?, ?)
			    ORDER BY NOT s.silent, c.expires_at, c.worker_id, c.claim
			    LIMIT 1
			""";

	/**
	 * Jobs that wait to be cancelled and that no worker holds.
	 */
	static final String LEFT_ALONE = """
			SELECT id
			FROM jobqueue_job
			WHERE cancel_requested AND locked_by IS NULL AND id > ?
			ORDER BY id
			LIMIT 100
			""";

	static final String PURGE = """
			WITH purged AS (
			    DELETE FROM jobqueue_archive
			    WHERE id IN (
			        SELECT id FROM jobqueue_archive
			        WHERE keep_until <= statement_timestamp()
			        ORDER BY keep_until
			        LIMIT ?
			        FOR UPDATE SKIP LOCKED)
			    RETURNING 1
			)
			SELECT (SELECT count(*) FROM purged) AS jobs,
			       EXISTS (SELECT 1 FROM jobqueue_key) OR EXISTS (SELECT 1 FROM jobqueue_dedupe) AS keys
			""";

	static final String NOTIFY = """
			SELECT pg_notify(?, ?)
			""";

	static final String SESSION = """
			SELECT pg_backend_pid()
			""";

	static final String CURRENT_SCHEMA = """
			SELECT current_schema()
			""";

	static final String VERSIONS = """
			SELECT version FROM jobqueue_version
			""";

	private PostgresUpkeepSql() {
	}

}
