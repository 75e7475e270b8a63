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
			BEGIN ISOLATION LEVEL READ COMMITTED;
			SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('jit', 'off', true),
			       set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)""";

	/**
	 * The outcomes of many jobs do not wait for one that somebody keeps locked.
	 */
	static final String BEGIN_SETTLEMENT = BEGIN + ", set_config('lock_timeout', '500ms', true)";

	/**
	 * What the rest of a settlement waits for is held for a moment, unless its holder was
	 * stopped by its system: to give up at once would leave keys to the reaper for
	 * nothing.
	 */
	static final String WAIT = "SELECT set_config('lock_timeout', '2s', true)";

	/**
	 * A claim or an outcome lets go of a job at once, but somebody may be about to change
	 * it in a long transaction.
	 */
	static final String BEGIN_CANCEL = BEGIN + ", set_config('lock_timeout', '5s', true)";

	/**
	 * A claim that is lost in a crash of the server is a ready job again, and the fence
	 * holds because claim numbers are counted by the worker.
	 */
	static final String BEGIN_CLAIM = BEGIN + ", set_config('synchronous_commit', 'off', true)";

	/**
	 * A claim of a job that is delivered at most once must survive a crash of the server,
	 * whatever is thought of other commits.
	 */
	static final String BEGIN_DURABLE_CLAIM = BEGIN + """
			, set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)""";

	/**
	 * Claims within a limit take turns, which are short.
	 */
	static final String BEGIN_LIMITED_CLAIM = BEGIN_DURABLE_CLAIM + ", set_config('lock_timeout', '100ms', true)";

	/**
	 * In an order that all agree on, so that no two wait for each other.
	 */
	static final String LOCK = """
			SELECT pg_advisory_xact_lock(q.lock)
			FROM (
			    SELECT DISTINCT hashtextextended(?::text || ' of ' || n.queue, to_regclass(?)::oid::bigint) AS lock
			    FROM unnest(?::text[]) AS n (queue)
			    ORDER BY lock) q
			""";

	static final String ENQUEUE_ONE = """
			INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
			                          max_attempts, max_run_millis, headers)
			VALUES (?, ?, ?, ?, ?, ?,
			        greatest(statement_timestamp(), coalesce(
			            'epoch'::timestamptz + ?::bigint * interval '1 microsecond',
			            statement_timestamp() + ?::bigint * interval '1 millisecond')),
			        statement_timestamp(), ?::integer, ?, ?)
			RETURNING date_part('epoch', created_at) AS at_seconds
			""";

	/**
	 * Costs the server twice as much as the above for one job, and far less for many.
	 * Rows are numbered in the order in which unnest returns them: that of the arrays.
	 * Jobs with an ordering or a limit key come to the gate.
	 */
	static final String ENQUEUE = """
			WITH written AS (
			    INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
			                              max_attempts, max_run_millis, headers, ordering_key, limit_key, job_group,
			                              due_at, gate)
			    SELECT n.id, n.queue, n.type, n.payload, n.payload_bytes, n.priority,
			           CASE WHEN g.gated THEN 'infinity' ELSE d.due_at END,
			           statement_timestamp(), n.max_attempts, n.max_run_millis, n.headers,
			           n.ordering_key, n.limit_key, n.job_group,
			           CASE WHEN g.gated THEN d.due_at END, CASE WHEN g.gated THEN 'NEW' END
			    FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::smallint[], ?::bigint[],
			                ?::bigint[], ?::integer[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[])
			        AS n (id, queue, type, payload, payload_bytes, priority, run_at_micros,
			              delay_millis, max_attempts, max_run_millis, headers, ordering_key, limit_key, job_group)
			    CROSS JOIN LATERAL (SELECT n.ordering_key IS NOT NULL OR n.limit_key IS NOT NULL AS gated) g
			    CROSS JOIN LATERAL (
			        SELECT greatest(statement_timestamp(), coalesce(
			            'epoch'::timestamptz + n.run_at_micros * interval '1 microsecond',
			            statement_timestamp() + n.delay_millis * interval '1 millisecond')) AS due_at) d
			)
			SELECT date_part('epoch', statement_timestamp()) AS at_seconds
			""";

	/**
	 * Probes the given priorities of a queue, best first, each from its floor on: jobs
	 * due later in a better priority cost nothing, nor do the dead rows of jobs that are
	 * done. {@code place} tells whether a free handler awaits the job; one on its last
	 * attempt is left where none does. Locked rows do not move: their {@code ctid} is the
	 * shortest way back to them. A lease is a little longer than the maximum run time:
	 * the worker itself, which knows more, ends the attempt first. Sizes are those before
	 * compression, which are read without the compressed value: {@code octet_length}
	 * looks at no page beyond that of the row.
	 */
	static final String CLAIM = """
			WITH demand AS (
			    SELECT w.id AS worker, w.service, ?::text AS queue, ?::text[] AS types, ?::text[] AS once_types, ?::bigint AS claim,
			           ?::integer AS free,
			           least(?::integer, nullif(current_setting('jobqueue.quota', true), '')::integer) AS quota, ?::bigint AS bytes,
			           ?::integer AS max_attempts, ?::bigint AS max_run_millis, ?::bigint AS keep_dead_millis, ?::smallint[] AS priorities, ?::bigint[] AS run_at_micros,
			           ?::bigint[] AS seqs, nullif(?::text[], '{}') AS limited_types, ?::integer[] AS type_max_attempts,
			           ?::bigint[] AS type_max_run_millis,
			           nullif(current_setting('jobqueue.quota', true), '') IS NOT NULL AS limited
			    FROM jobqueue_worker w
			    WHERE w.id = ?
			      AND w.last_active_at > statement_timestamp() - w.timeout_millis * interval '1 millisecond'
			), due AS (
			    SELECT j.*
			    FROM demand d
			    CROSS JOIN LATERAL (
			        SELECT j.*
			        FROM unnest(d.priorities, d.run_at_micros, d.seqs) AS t (priority, run_at_micros, seq)
			        CROSS JOIN LATERAL (
			            SELECT j.ctid AS tid, j.priority, j.run_at, j.seq,
			                   j.attempts - coalesce(j.expected_failures, 0) AS counted_attempts,
			                   coalesce(j.max_attempts, d.type_max_attempts[array_position(d.limited_types, j.type)],
			                            d.max_attempts) AS max_attempts,
			                   coalesce(j.max_run_millis, d.type_max_run_millis[array_position(d.limited_types, j.type)],
			                            d.max_run_millis) AS run_limit_millis,
			                   j.type = ANY (d.once_types) AS once,
			                   coalesce(octet_length(j.payload), octet_length(j.payload_bytes), 0)
			                       + coalesce(octet_length(j.headers), 0) AS bytes
			            FROM jobqueue_job j
			            WHERE j.queue = d.queue AND j.priority = t.priority
			              AND (j.run_at, j.seq)
			                  >= ('epoch'::timestamptz + t.run_at_micros * interval '1 microsecond', t.seq)
			              AND j.run_at <= statement_timestamp() AND j.locked_by IS NULL AND j.type = ANY (d.types)
			              AND NOT j.cancel_requested
			            ORDER BY j.run_at, j.seq
			            LIMIT d.quota
			            FOR UPDATE SKIP LOCKED) j
			        LIMIT d.quota) j
			), placed AS (
			    SELECT p.*, (p.place = 1 OR p.total_bytes <= d.bytes)
			               AND (p.place <= d.free
			                    OR NOT p.once AND (p.max_attempts = 0 OR p.counted_attempts + 1 < p.max_attempts)) AS wanted
			    FROM demand d CROSS JOIN (
			        SELECT due.*, row_number() OVER w AS place, sum(bytes) OVER w AS total_bytes
			        FROM due
			        WINDOW w AS (ORDER BY priority, run_at, seq ROWS UNBOUNDED PRECEDING)) p
			), claimed AS (
			    UPDATE jobqueue_job j
			    SET locked_by = d.worker, claim = d.claim, attempts = least(j.attempts + 1, 1000000000), at_most_once = p.once,
			        lease_until = statement_timestamp() + interval '2 seconds' + p.run_limit_millis * interval '1 millisecond'
			    FROM demand d CROSS JOIN placed p
			    WHERE j.ctid = p.tid AND p.wanted
			    RETURNING j.*, p.max_attempts AS attempts_limit, p.run_limit_millis
			), stretch AS (
			    SELECT d.service, statement_timestamp() AS looked_at, p.priority,
			           'epoch'::timestamptz + t.run_at_micros * interval '1 microsecond' AS from_run_at, t.seq AS from_seq,
			           p.run_at AS to_run_at, p.seq AS to_seq
			    FROM demand d
			    JOIN placed p ON p.place = d.quota
			    CROSS JOIN LATERAL unnest(d.priorities, d.run_at_micros, d.seqs) AS t (priority, run_at_micros, seq)
			    WHERE t.priority = p.priority AND (SELECT count(*) FROM claimed) = d.quota
			), noted AS (
			    INSERT INTO jobqueue_claim (worker_id, claim, expires_at, keep_dead_millis, max_attempts, limited_types,
			                                type_max_attempts, queue, job_ids, limited,
			                                service, looked_at, priority, from_run_at, from_seq, to_run_at, to_seq)
			    SELECT d.worker, d.claim, c.expires_at, d.keep_dead_millis, d.max_attempts, d.limited_types,
			           nullif(d.type_max_attempts, '{}'), d.queue, c.job_ids, d.limited,
			           s.*
			    FROM demand d
			    CROSS JOIN (
			        SELECT min(lease_until) AS expires_at, array_agg(id) AS job_ids
			        FROM claimed
			        HAVING count(*) > 0) c
			    LEFT JOIN stretch s ON true
			), found AS (
			    SELECT priority, run_at, seq, id, type, payload, payload_bytes, attempts, expected_failures, attempts_limit,
			           run_limit_millis, created_at, headers, unique_key, ordering_key, limit_key, at_most_once
			    FROM claimed
			    UNION ALL
			    SELECT priority, run_at, seq, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			           NULL
			    FROM placed
			    WHERE NOT wanted
			), look AS (
			    SELECT statement_timestamp() AS at, c.due_jobs, d.quota, CASE WHEN c.due_jobs < d.quota THEN (
			        SELECT date_part('epoch', min(n.run_at) - statement_timestamp()) * 1000
			        FROM unnest(d.priorities) AS t (priority)
			        CROSS JOIN LATERAL (
			            SELECT j.run_at FROM jobqueue_job j
			            WHERE j.queue = d.queue AND j.priority = t.priority AND j.run_at > statement_timestamp()
			              AND j.run_at < 'infinity'
			            ORDER BY j.run_at LIMIT 1) n) END AS due_in_millis
			    FROM demand d CROSS JOIN (SELECT count(*) AS due_jobs FROM due) c
			)
			SELECT l.*, f.* FROM look l LEFT JOIN found f ON true
			""";

	/**
	 * Goes from claim to claim, each of which began to look where the one before had
	 * ended, or earlier.
	 */
	static final String SKIP = """
			WITH RECURSIVE reached (run_at, seq) AS (
			    SELECT 'epoch'::timestamptz + ?::bigint * interval '1 microsecond', ?::bigint
			    UNION ALL
			    SELECT n.to_run_at, n.to_seq
			    FROM reached r
			    CROSS JOIN LATERAL (
			        SELECT c.to_run_at, c.to_seq
			        FROM jobqueue_claim c
			        WHERE c.service = (SELECT service FROM jobqueue_worker WHERE id = ?)
			          AND c.queue = ? AND c.priority = ?
			          AND (c.to_run_at, c.to_seq) > (r.run_at, r.seq) AND (c.from_run_at, c.from_seq) <= (r.run_at, r.seq)
			          AND c.looked_at > 'epoch'::timestamptz + ?::bigint * interval '1 microsecond'
			          AND (c.to_run_at, c.to_seq)
			              <= (coalesce('epoch'::timestamptz + ?::bigint * interval '1 microsecond', 'infinity'), coalesce(?::bigint, 0))
			        ORDER BY c.to_run_at DESC, c.to_seq DESC
			        LIMIT 1) n
			)
			SELECT run_at, seq FROM reached ORDER BY run_at DESC, seq DESC LIMIT 1
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
			RETURNING j.queue, j.priority, j.run_at, j.seq, false AS gated, 0 AS due_in_millis
			""";

	/**
	 * Looks at each priority that a queue holds. What cannot be run here ends up among
	 * the first that wait, so that a look at those is enough, however long the queue is.
	 */
	static final String SURVEY = """
			WITH RECURSIVE served AS (
			    SELECT s.queue, s.best, s.worst, string_to_array(s.names, chr(10)) AS types
			    FROM unnest(?::text[], ?::text[], ?::smallint[], ?::smallint[]) AS s (queue, names, best, worst)
			), tier (queue, worst, types, priority) AS (
			    SELECT s.queue, s.worst, s.types, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = s.queue AND j.priority >= s.best
			        ORDER BY j.priority LIMIT 1)
			    FROM served s
			    UNION ALL
			    SELECT t.queue, t.worst, t.types, (
			        SELECT j.priority FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority > t.priority
			        ORDER BY j.priority LIMIT 1)
			    FROM tier t
			    WHERE t.priority < t.worst
			)
			SELECT t.queue, t.priority, coalesce(h.run_at, f.run_at, statement_timestamp()) AS run_at,
			       coalesce(h.seq, f.seq, 0) AS seq, h.unknown_type, h.unknown_jobs,
			       CASE WHEN coalesce(h.seq, f.seq) IS NOT NULL THEN 0 ELSE (
			           SELECT date_part('epoch', j.run_at - statement_timestamp()) * 1000
			           FROM jobqueue_job j
			           WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at > statement_timestamp()
			             AND j.run_at < 'infinity'
			           ORDER BY j.run_at LIMIT 1) END AS due_in_millis, (
			           SELECT date_part('epoch', j.due_at - statement_timestamp()) * 1000
			           FROM jobqueue_job j
			           WHERE j.queue = t.queue AND j.priority = t.priority AND j.gate = 'NEW'
			           ORDER BY j.due_at LIMIT 1) AS judge_in_millis
			FROM tier t
			CROSS JOIN LATERAL (
			    SELECT count(*) AS jobs, min(w.type) FILTER (WHERE w.type <> ALL (t.types)) AS unknown_type,
			           count(*) FILTER (WHERE w.type <> ALL (t.types)) AS unknown_jobs,
			           (array_agg(w.run_at ORDER BY w.run_at, w.seq) FILTER (WHERE w.type = ANY (t.types)))[1] AS run_at,
			           (array_agg(w.seq ORDER BY w.run_at, w.seq) FILTER (WHERE w.type = ANY (t.types)))[1] AS seq
			    FROM (
			        SELECT j.run_at, j.seq, j.type
			        FROM jobqueue_job j
			        WHERE j.queue = t.queue AND j.priority = t.priority AND j.run_at <= statement_timestamp()
			          AND j.locked_by IS NULL
			        ORDER BY j.run_at, j.seq LIMIT 200) w) h
			LEFT JOIN LATERAL (
			    SELECT j.run_at, j.seq
			    FROM jobqueue_job j
			    WHERE h.jobs = 200 AND h.seq IS NULL
			      AND j.queue = t.queue AND j.priority = t.priority AND j.run_at <= statement_timestamp()
			      AND j.locked_by IS NULL AND j.type = ANY (t.types)
			    ORDER BY j.run_at, j.seq LIMIT 1) f ON true
			WHERE t.priority <= t.worst
			""";

	private PostgresSql() {
	}

}
