package io.jobqueue.store.jdbc;

/**
 * What runs on PostgreSQL. The texts are constant: their parameters are arrays, whatever
 * the number of jobs. {@code statement_timestamp()} is the only clock.
 */
final class PostgresSql {

	/**
	 * Begins every transaction of a worker. The application's default isolation may be
	 * stricter; planning a claim takes longer than running it; and a plan that was made
	 * while the table was tiny must not scan it when it has grown.
	 */
	static final String BEGIN = """
			SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
			SET LOCAL plan_cache_mode = force_generic_plan;
			SET LOCAL jit = off;
			SET LOCAL enable_seqscan = off;
			SET LOCAL enable_bitmapscan = off;
			""";

	/**
	 * A claim that is lost in a crash of the server is a ready job again, and the fence
	 * holds because claim numbers are counted by the worker.
	 */
	static final String BEGIN_CLAIM = BEGIN + """
			SET LOCAL synchronous_commit = off;
			""";

	static final String ENQUEUE = """
			INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
			                          max_attempts, max_run_millis, headers)
			SELECT n.id, n.queue, n.type, n.payload, n.payload_bytes, n.priority,
			       greatest(statement_timestamp(), coalesce(
			           'epoch'::timestamptz + n.run_at_micros * interval '1 microsecond',
			           statement_timestamp() + n.delay_millis * interval '1 millisecond')),
			       statement_timestamp(), n.max_attempts, n.max_run_millis, n.headers
			FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::smallint[], ?::bigint[], ?::bigint[],
			            ?::integer[], ?::bigint[], ?::text[])
			    WITH ORDINALITY AS n (id, queue, type, payload, payload_bytes, priority, run_at_micros, delay_millis,
			                          max_attempts, max_run_millis, headers, place)
			ORDER BY n.place
			""";

	/**
	 * Probes each priority that a queue holds, best first, so that jobs due later in a
	 * better priority cost nothing. {@code place} tells whether a free handler awaits the
	 * job; one on its last attempt is left where none does.
	 */
	static final String CLAIM = """
			WITH RECURSIVE handled AS (
			    SELECT queue, array_agg(type) AS types
			    FROM unnest(?::text[], ?::text[]) AS h (queue, type)
			    GROUP BY queue
			), demand AS (
			    SELECT d.*, h.types
			    FROM unnest(?::text[], ?::bigint[], ?::integer[], ?::integer[], ?::integer[], ?::bigint[], ?::bigint[],
			                ?::smallint[], ?::smallint[])
			        AS d (queue, claim, free, quota, max_attempts, max_run_millis, keep_dead_millis, best, worst)
			    JOIN handled h ON h.queue = d.queue
			    WHERE EXISTS (
			        SELECT 1 FROM jobqueue_worker w
			        WHERE w.id = ?
			          AND w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond')
			), lane (queue, worst, priority) AS (
			    SELECT d.queue, d.worst, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = d.queue AND j.priority >= d.best
			        ORDER BY j.priority LIMIT 1)
			    FROM demand d
			    UNION ALL
			    SELECT l.queue, l.worst, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = l.queue AND j.priority > l.priority
			        ORDER BY j.priority LIMIT 1)
			    FROM lane l
			    WHERE l.priority < l.worst
			), due AS (
			    SELECT d.queue, d.claim, d.free, d.max_run_millis, coalesce(j.max_attempts, d.max_attempts) AS max_attempts,
			           j.id, j.priority, j.run_at, j.seq, j.attempts
			    FROM demand d
			    CROSS JOIN LATERAL (
			        SELECT j.*
			        FROM lane l
			        CROSS JOIN LATERAL (
			            SELECT j.id, j.priority, j.run_at, j.seq, j.attempts, j.max_attempts
			            FROM jobqueue_job j
			            WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at <= statement_timestamp()
			              AND j.locked_by IS NULL AND j.type = ANY (d.types)
			            ORDER BY j.run_at, j.seq
			            LIMIT d.quota
			            FOR UPDATE SKIP LOCKED) j
			        WHERE l.queue = d.queue AND l.priority <= d.worst
			        LIMIT d.quota) j
			), placed AS (
			    SELECT due.*, row_number() OVER (PARTITION BY queue ORDER BY priority, run_at, seq) AS place
			    FROM due
			), claimed AS (
			    UPDATE jobqueue_job j
			    SET locked_by = ?, claim = p.claim, attempts = j.attempts + 1,
			        lease_until = statement_timestamp()
			            + coalesce(j.max_run_millis, p.max_run_millis) * interval '1 millisecond'
			    FROM placed p
			    WHERE j.id = p.id
			      AND (p.place <= p.free OR p.max_attempts = 0 OR p.attempts + 1 < p.max_attempts)
			    RETURNING j.*
			), noted AS (
			    INSERT INTO jobqueue_claim (worker_id, claim, expires_at, keep_dead_millis, max_attempts, queue, job_ids)
			    SELECT ?, d.claim, min(c.lease_until), d.keep_dead_millis, d.max_attempts, d.queue, array_agg(c.id)
			    FROM claimed c JOIN demand d ON d.queue = c.queue
			    GROUP BY d.claim, d.keep_dead_millis, d.max_attempts, d.queue
			)
			SELECT p.queue AS demanded, c.id, c.claim, c.queue, c.type, c.payload, c.payload_bytes, c.priority, c.run_at,
			       c.seq, c.attempts, p.max_attempts, coalesce(c.max_run_millis, p.max_run_millis) AS max_run_millis,
			       c.created_at, c.headers
			FROM placed p LEFT JOIN claimed c ON c.id = p.id
			ORDER BY p.priority, p.run_at, p.seq
			""";

	static final String GIVE_BACK = """
			WITH unseen AS (
			    DELETE FROM jobqueue_claim
			    WHERE worker_id = ? AND claim = ANY (?::bigint[])
			    RETURNING worker_id, claim, job_ids
			)
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1
			FROM unseen u
			WHERE j.id = ANY (u.job_ids) AND j.claim = u.claim AND j.locked_by = u.worker_id
			""";

	/**
	 * What cannot be run here ends up among the first that wait, so that a look at those
	 * is enough, however long the queue is.
	 */
	static final String OUTLOOK = """
			WITH RECURSIVE demand AS (
			    SELECT d.queue, d.best, d.worst, array_agg(h.type) AS types
			    FROM unnest(?::text[], ?::smallint[], ?::smallint[]) AS d (queue, best, worst)
			    JOIN unnest(?::text[], ?::text[]) AS h (queue, type) ON h.queue = d.queue
			    GROUP BY d.queue, d.best, d.worst
			), lane (queue, worst, types, priority) AS (
			    SELECT d.queue, d.worst, d.types, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = d.queue AND j.priority >= d.best
			        ORDER BY j.priority LIMIT 1)
			    FROM demand d
			    UNION ALL
			    SELECT l.queue, l.worst, l.types, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = l.queue AND j.priority > l.priority
			        ORDER BY j.priority LIMIT 1)
			    FROM lane l
			    WHERE l.priority < l.worst
			)
			SELECT l.queue, (
			           SELECT extract(epoch FROM j.run_at - statement_timestamp()) * 1000
			           FROM jobqueue_job j
			           WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at > statement_timestamp()
			           ORDER BY j.run_at LIMIT 1) AS due_in_millis, (
			           SELECT f.type FROM (
			               SELECT j.type
			               FROM jobqueue_job j
			               WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at <= statement_timestamp()
			                 AND j.locked_by IS NULL
			               ORDER BY j.run_at, j.seq LIMIT 1000) f
			           WHERE f.type <> ALL (l.types) LIMIT 1) AS unknown_type
			FROM lane l
			WHERE l.priority <= l.worst
			""";

	static final String RENEW = """
			UPDATE jobqueue_job
			SET lease_until = statement_timestamp() + ? * interval '1 millisecond'
			WHERE id = ? AND claim = ? AND locked_by = ?
			""";

	static final String FINISH = """
			WITH gone AS (
			    DELETE FROM jobqueue_job j
			    USING unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[])
			        AS o (id, claim, state, error, keep_millis)
			    WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			    RETURNING j.*, o.state, o.error, o.keep_millis
			), archived AS (
			    INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, max_run_millis,
			                                  locked_by, attempts, failures, max_attempts, priority, state, queue, type,
			                                  payload, payload_bytes, headers, last_error)
			    SELECT id, seq, run_at, created_at, statement_timestamp(),
			           statement_timestamp() + keep_millis * interval '1 millisecond', max_run_millis,
			           locked_by, attempts, failures + (state = 'DEAD')::integer, max_attempts, priority, state, queue, type,
			           payload, payload_bytes, headers, coalesce(error, last_error)
			    FROM gone
			    WHERE keep_millis IS DISTINCT FROM 0
			)
			SELECT id FROM gone
			""";

	static final String RETRY_LATER = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, failures = j.failures + 1, last_error = o.error,
			    run_at = statement_timestamp() + o.delay_millis * interval '1 millisecond'
			FROM unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[]) AS o (id, claim, delay_millis, error)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id
			""";

	static final String RELEASE = """
			UPDATE jobqueue_job j
			SET locked_by = NULL, claim = NULL, lease_until = NULL, attempts = j.attempts - 1
			FROM unnest(?::uuid[], ?::bigint[]) AS o (id, claim)
			WHERE j.id = o.id AND j.claim = o.claim AND j.locked_by = ?
			RETURNING j.id
			""";

	static final String END_CLAIMS = """
			DELETE FROM jobqueue_claim WHERE worker_id = ? AND claim = ANY (?::bigint[])
			""";

	static final String CHECK_IN = """
			UPDATE jobqueue_worker SET last_active_at = statement_timestamp() WHERE id = ?
			""";

	static final String INTRODUCE = """
			INSERT INTO jobqueue_worker (id, last_active_at, started_at, timeout_millis, name, queues)
			VALUES (?, statement_timestamp(), statement_timestamp(), ?, ?, ?)
			""";

	static final String CHECK_OUT = """
			DELETE FROM jobqueue_worker WHERE id = ?
			""";

	/**
	 * Jobs of a silent worker are taken at once, those of a living one when their lease
	 * is over. What is being settled right now is skipped and keeps its claim's row.
	 */
	static final String REAP = """
			WITH expired AS (
			    SELECT c.*, coalesce(w.name, c.worker_id::text) AS worker,
			           coalesce(w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond',
			                    true) AS silent
			    FROM jobqueue_claim c
			    LEFT JOIN jobqueue_worker w ON w.id = c.worker_id
			    WHERE w.id IS NULL
			       OR w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			       OR c.expires_at <= statement_timestamp()
			    ORDER BY c.expires_at
			    LIMIT 100
			    FOR UPDATE OF c SKIP LOCKED
			), held AS (
			    SELECT j.id, j.lease_until, j.queue, j.type, e.worker_id, e.claim, e.worker, e.keep_dead_millis,
			           e.silent OR j.lease_until <= statement_timestamp() AS lost,
			           coalesce(j.max_attempts, e.max_attempts) BETWEEN 1 AND j.attempts AS dead,
			           CASE WHEN e.silent THEN 'Lost: the worker ' || e.worker || ' fell silent'
			                ELSE 'Timed out: the worker ' || e.worker || ' did not finish within the maximum run time'
			                END AS error
			    FROM expired e
			    JOIN jobqueue_job j ON j.id = ANY (e.job_ids) AND j.claim = e.claim AND j.locked_by = e.worker_id
			), taken AS (
			    SELECT h.*
			    FROM jobqueue_job j JOIN held h ON h.id = j.id AND h.claim = j.claim AND h.worker_id = j.locked_by
			    WHERE h.lost
			    FOR UPDATE OF j SKIP LOCKED
			), buried AS (
			    DELETE FROM jobqueue_job j USING taken t
			    WHERE j.id = t.id AND t.dead
			    RETURNING j.*, t.error, t.keep_dead_millis
			), archived AS (
			    INSERT INTO jobqueue_archive (id, seq, run_at, created_at, finished_at, keep_until, max_run_millis,
			                                  locked_by, attempts, failures, max_attempts, priority, state, queue, type,
			                                  payload, payload_bytes, headers, last_error)
			    SELECT id, seq, run_at, created_at, statement_timestamp(),
			           statement_timestamp() + keep_dead_millis * interval '1 millisecond', max_run_millis,
			           locked_by, attempts, failures + 1, max_attempts, priority, 'DEAD', queue, type,
			           payload, payload_bytes, headers, error
			    FROM buried
			    WHERE keep_dead_millis IS DISTINCT FROM 0
			), released AS (
			    UPDATE jobqueue_job j
			    SET locked_by = NULL, claim = NULL, lease_until = NULL, failures = j.failures + 1, last_error = t.error
			    FROM taken t
			    WHERE j.id = t.id AND NOT t.dead
			), left_over AS (
			    SELECT h.worker_id, h.claim, min(h.lease_until) AS expires_at
			    FROM held h
			    WHERE NOT EXISTS (SELECT 1 FROM taken t WHERE t.id = h.id)
			    GROUP BY h.worker_id, h.claim
			), ended AS (
			    DELETE FROM jobqueue_claim c USING expired e
			    WHERE c.worker_id = e.worker_id AND c.claim = e.claim
			      AND NOT EXISTS (SELECT 1 FROM left_over l WHERE l.worker_id = c.worker_id AND l.claim = c.claim)
			), postponed AS (
			    UPDATE jobqueue_claim c SET expires_at = l.expires_at
			    FROM left_over l
			    WHERE c.worker_id = l.worker_id AND c.claim = l.claim AND c.expires_at <> l.expires_at
			)
			SELECT queue, type, worker, dead, count(*) AS count
			FROM taken
			GROUP BY queue, type, worker, dead
			""";

	static final String FORGET_SILENT_WORKERS = """
			DELETE FROM jobqueue_worker w
			WHERE w.last_active_at <= statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			  AND NOT EXISTS (SELECT 1 FROM jobqueue_claim c WHERE c.worker_id = w.id)
			RETURNING w.name
			""";

	static final String PURGE = """
			DELETE FROM jobqueue_archive
			WHERE id IN (
			    SELECT id FROM jobqueue_archive
			    WHERE keep_until <= statement_timestamp()
			    ORDER BY keep_until
			    LIMIT ?
			    FOR UPDATE SKIP LOCKED)
			""";

	/**
	 * Reads one index entry for each queue and priority, the claimed jobs through their
	 * claims, and counts up to a cap.
	 */
	static final String LANES = """
			WITH RECURSIVE lane (queue, priority, place) AS (
			    (SELECT queue, priority, 1 FROM jobqueue_job ORDER BY queue, priority LIMIT 1)
			    UNION ALL
			    SELECT n.queue, n.priority, l.place + 1
			    FROM lane l
			    CROSS JOIN LATERAL (
			        SELECT j.queue, j.priority FROM jobqueue_job j
			        WHERE (j.queue, j.priority) > (l.queue, l.priority)
			        ORDER BY j.queue, j.priority LIMIT 1) n
			    WHERE l.place < ?
			), claimed AS (
			    SELECT j.queue, j.priority, count(*) AS running
			    FROM jobqueue_claim c
			    JOIN jobqueue_job j ON j.id = ANY (c.job_ids) AND j.claim = c.claim AND j.locked_by = c.worker_id
			    GROUP BY j.queue, j.priority
			)
			SELECT l.queue, l.priority, coalesce(c.running, 0) AS running,
			       coalesce((SELECT j.failures FROM jobqueue_job j
			        WHERE j.queue = l.queue AND j.priority = l.priority AND j.failures > 0
			        ORDER BY j.failures DESC LIMIT 1), 0) AS max_failures,
			       (SELECT extract(epoch FROM statement_timestamp() - j.run_at) FROM jobqueue_job j
			        WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at <= statement_timestamp()
			          AND j.locked_by IS NULL
			        ORDER BY j.run_at, j.seq LIMIT 1) AS max_age_seconds,
			       (SELECT count(*) FROM (
			           SELECT 1 FROM jobqueue_job j
			           WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at <= statement_timestamp()
			           LIMIT ?) capped) AS due,
			       (SELECT count(*) FROM (
			           SELECT 1 FROM jobqueue_job j
			           WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at > statement_timestamp()
			           LIMIT ?) capped) AS later,
			       (SELECT count(*) FROM (
			           SELECT 1 FROM jobqueue_job j
			           WHERE j.queue = l.queue AND j.priority = l.priority AND j.run_at > statement_timestamp()
			             AND j.failures > 0
			           LIMIT ?) capped) AS retrying
			FROM lane l
			LEFT JOIN claimed c ON c.queue = l.queue AND c.priority = l.priority
			""";

	static final String SERVED_QUEUES = """
			SELECT DISTINCT unnest(string_to_array(queues, ',')) FROM jobqueue_worker
			""";

	static final String ESTIMATE_DUE = """
			EXPLAIN (FORMAT JSON)
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? AND run_at <= statement_timestamp()
			""";

	static final String ESTIMATE_LATER = """
			EXPLAIN (FORMAT JSON)
			SELECT 1 FROM jobqueue_job WHERE queue = ? AND priority = ? AND run_at > statement_timestamp()
			""";

	static final String ESTIMATE_RETRYING = """
			EXPLAIN (FORMAT JSON)
			SELECT 1 FROM jobqueue_job
			WHERE queue = ? AND priority = ? AND run_at > statement_timestamp() AND failures > 0
			""";

	static final String NOTIFY = """
			SELECT pg_notify(?, ?)
			""";

	static final String CURRENT_SCHEMA = """
			SELECT current_schema()
			""";

	static final String VERSIONS = """
			SELECT version FROM jobqueue_version
			""";

	private PostgresSql() {
	}

}
