package io.jobqueue.store.jdbc;

/**
 * What happens to jobs on PostgreSQL. The texts are constant: their parameters are
 * arrays, whatever the number of jobs. {@code statement_timestamp()} is the only clock.
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

	/**
	 * Whoever asks for the gauges waits for the answer.
	 */
	static final String BEGIN_READING = BEGIN + """
			SET LOCAL statement_timeout = '5s';
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

	private PostgresSql() {
	}

}
